package io.cordwood.systemtests.balance;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.balancer.flink.FlinkClient;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.systemtests.lab.Archiving;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.load.TenantLoad;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/**
 * The demand of all tenants grows above the cluster's capacity, and the balancer may let the cluster grow. For one
 * thread.
 */
final class ClusterGrowth {
    private static final double FACTOR = 4;
    private static final long LEVEL_MILLIS = 1000;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final Lab lab;
    private final Report report;
    private final Lab.Size before;
    private final Lab.Size after;

    /** @param after the size that it may grow to */
    ClusterGrowth(Lab lab, Report report, Lab.Size before, Lab.Size after) {
        this.lab = lab;
        this.report = report;
        this.before = before;
        this.after = after;
    }

    void run(NumberedRow.Maker rows, Ledger ledger, double[] rates) throws Exception {
        try (Admin admin = lab.admin();
                FlinkClient flink = new FlinkClient(lab.flink());
                IngestWatch watch = new IngestWatch(lab);
                TenantLoad load = new TenantLoad(lab, rows, ledger, rates)) {
            Archiving archiving = new Archiving(lab, admin);
            Thread.sleep(10_000);
            long begun = System.currentTimeMillis();
            setRates(load, Arrays.stream(rates).map(rate -> FACTOR * rate).toArray());
            Await.await(
                    TIMEOUT,
                    "partitions are added",
                    () -> archiving.topic().partitions().size() > before.partitions());
            add("partitions_added_s", begun);
            Await.await(TIMEOUT, "more subtasks build", () -> subtasks(flink) == after.parallelism());
            add("subtasks_added_s", begun);
            Await.await(
                    TIMEOUT,
                    "rows come to every new partition",
                    () -> archiving.endOffsets().entrySet().stream()
                            .filter(end -> end.getKey() >= before.partitions())
                            .allMatch(end -> end.getValue() > 0));
            add("new_partitions_used_s", begun);
            // The backlog until then would take long to process beside as much new data.
            setRates(load, rates);
            long used = System.currentTimeMillis();
            Await.await(TIMEOUT, "load is level again", () -> watch.isLevel(used, LEVEL_MILLIS));
            add("level_again_s", begun);
            Map<Integer, Long> rowsOf = archiving.endOffsets();
            report.add("scale", "partitions", rowsOf.size(), "partitions");
            report.add("scale", "subtasks", subtasks(flink), "subtasks");
            report.add(
                    "scale",
                    "rows_in_new_partitions",
                    rowsOf.entrySet().stream()
                            .filter(end -> end.getKey() >= before.partitions())
                            .collect(Collectors.summingDouble(Map.Entry::getValue)),
                    "rows");
        }
    }

    private static void setRates(TenantLoad load, double[] rates) {
        for (int tenant = 0; tenant < rates.length; tenant++) {
            load.rate(tenant, rates[tenant]);
        }
    }

    private void add(String metric, long begun) {
        report.add("scale", metric, (System.currentTimeMillis() - begun) / 1e3, "s");
    }

    /** The number of running build subtasks; 0 while the job restarts. */
    private static int subtasks(FlinkClient flink) throws IOException, InterruptedException {
        for (JsonNode job : flink.jobs()) {
            for (JsonNode vertex : flink.vertices(job.path("jid").asText(), FlinkClient.BUILDER)) {
                return vertex.path("status").asText().equals("RUNNING")
                        ? vertex.path("parallelism").asInt()
                        : 0;
            }
        }
        return 0;
    }
}
