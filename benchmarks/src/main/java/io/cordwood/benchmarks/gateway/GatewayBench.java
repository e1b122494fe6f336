package io.cordwood.benchmarks.gateway;

import io.cordwood.benchmarks.data.DataSetOptions;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Processors;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.pipeline.Sensitive;
import io.cordwood.catalog.pipeline.Step;
import io.cordwood.catalog.tenant.Tenant;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The ingest gateway of a real stack: CPU per row at each door, the time until rows are acknowledged at half of the
 * load that it takes, and its memory under more load than it takes. The gateway runs on one processor, the broker and
 * the clients on the others, if there are any; services that only read are paused.
 */
@Command(
        name = "gateway",
        description =
                "Rows through each door of the ingest gateway, with and without redaction: CPU per row, time to the"
                        + " acknowledgement, memory.",
        mixinStandardHelpOptions = true)
public final class GatewayBench implements Callable<Integer> {
    private static final Pattern TENANT = Pattern.compile("\"tenant_id\":(\\d+)");
    private static final int BATCH_ROWS = 1000;
    private static final int AGE_SECONDS = 3600;
    private static final int CLIENTS = 4;
    private static final int MANY_CLIENTS = 64;
    private static final int WARM_UP_SECONDS = 20;
    private static final int SECONDS = 20;
    private static final int QUICK_SECONDS = 3;
    private static final double P99 = 0.99;
    private static final String OVERLOAD = "overload";
    private static final int SMALL_ROWS = 100;
    private static final double SMALL_REQUESTS_PER_SECOND = 20;
    private static final List<String> PAUSED = List.of("flink", "compaction", "trino", "search", "balancer");

    @Mixin
    DataSetOptions data;

    @Option(
            names = "--doors",
            split = ",",
            paramLabel = "DOOR",
            description = "Which of ${COMPLETION-CANDIDATES}. Default: all.")
    Set<DoorClient> doors = EnumSet.allOf(DoorClient.class);

    @Option(
            names = "--overload-seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "How long a small tenant sends beside one that sends all it can (default: ${DEFAULT-VALUE}).")
    int overloadSeconds;

    private final Report report = new Report("gateway", System.out);
    private final Phases phases = new Phases(report);

    @Override
    public Integer call() throws Exception {
        data.check();
        try (Scratch scratch = Scratch.create()) {
            phases.begin("start the stack, prepare rows");
            RunningStack stack = RunningStack.start(scratch, "logs", AGE_SECONDS);
            Map<String, List<List<String>>> batches = batches(data.file(scratch));
            stack.awaitReady();
            URI gateway = stack.gateway();
            long pid = stack.pid("gateway");
            Processors.isolate(pid, stack.pid("kafka"), ProcessHandle.current().pid());
            List<Long> paused = pids(stack);
            try {
                signal("STOP", paused);
                for (DoorClient door : doors) {
                    measure(door, requests(door, batches), gateway, pid);
                }
                overload(batches, gateway, pid);
                phases.begin("give each tenant a pipeline");
                redact(stack, batches.keySet());
                for (DoorClient door : doors) {
                    measureFullLoad(name(door) + " redacted", door, requests(door, batches), gateway, pid);
                }
            } finally {
                signal("CONT", paused);
            }
            phases.begin("stop the stack");
        }
        phases.end();
        report.printTable();
        return 0;
    }

    private static List<Long> pids(RunningStack stack) throws IOException {
        List<Long> pids = new ArrayList<>();
        for (String service : PAUSED) {
            pids.add(stack.pid(service));
        }
        return pids;
    }

    private static void signal(String signal, List<Long> pids) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        pids.forEach(pid -> command.add(pid.toString()));
        new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    /** From now on all sensitive values are looked for; the rows have addresses of IP. */
    private static void redact(RunningStack stack, Set<String> tenants) throws IOException, InterruptedException {
        Pipeline pipeline = new Pipeline(List.of(new Step.Redact(EnumSet.allOf(Sensitive.class))));
        try (CatalogClient catalog = stack.catalogClient()) {
            for (String tenant : tenants) {
                catalog.putTenant(Tenant.of(tenant));
                catalog.putPipeline(tenant, pipeline);
            }
        }
    }

    private static String name(DoorClient door) {
        return door.name().toLowerCase(Locale.ROOT);
    }

    private int seconds() {
        return data.isQuick() ? QUICK_SECONDS : SECONDS;
    }

    private void measure(DoorClient door, List<DoorRequest> requests, URI gateway, long pid)
            throws IOException, InterruptedException {
        String name = name(door);
        double requestsPerSecond = measureFullLoad(name, door, requests, gateway, pid) / BATCH_ROWS;
        phases.begin(name + " at half load");
        DoorLoad half = DoorLoad.run(gateway, door, requests, CLIENTS, requestsPerSecond / 2, seconds());
        report.add(name, "ack_ms_p99", half.millis().at(P99), "ms");
        report.add(name, "ack_ms_median", half.millis().median(), "ms");
        phases.begin(name + " with too many clients");
        DoorLoad many = DoorLoad.run(gateway, door, requests, MANY_CLIENTS, 0, seconds());
        report.add(name, "refused_requests", (double) many.refused(), "requests");
        report.add(name, "peak_rss_bytes", (double) ProcessUsage.of(pid).peakRssBytes(), "bytes");
    }

    /** A tenant that sends little, alone and beside one that sends all it can. */
    private void overload(Map<String, List<List<String>>> batches, URI gateway, long pid)
            throws IOException, InterruptedException {
        List<String> tenants = batches.keySet().stream()
                .sorted(Comparator.comparingInt(tenant -> -batches.get(tenant).size()))
                .toList();
        List<DoorRequest> small = requests(
                DoorClient.PLAIN,
                Map.of(
                        "small",
                        List.of(batches.get(tenants.getLast()).getFirst().subList(0, SMALL_ROWS))));
        List<DoorRequest> large =
                requests(DoorClient.PLAIN, Map.of(tenants.getFirst(), batches.get(tenants.getFirst())));
        phases.begin("a small tenant alone");
        DoorLoad alone = DoorLoad.run(gateway, DoorClient.PLAIN, small, 1, SMALL_REQUESTS_PER_SECOND, seconds());
        report.add(OVERLOAD, "small_alone_ack_ms_p99", alone.millis().at(P99), "ms");
        phases.begin("a small tenant beside a large one");
        int seconds = data.isQuick() ? QUICK_SECONDS : overloadSeconds;
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<DoorLoad> other =
                    threads.submit(() -> DoorLoad.run(gateway, DoorClient.PLAIN, large, MANY_CLIENTS, 0, seconds));
            DoorLoad beside = DoorLoad.run(gateway, DoorClient.PLAIN, small, 1, SMALL_REQUESTS_PER_SECOND, seconds);
            report.add(OVERLOAD, "small_beside_ack_ms_p99", beside.millis().at(P99), "ms");
            report.add(OVERLOAD, "small_refused_requests", (double) beside.refused(), "requests");
            report.add(OVERLOAD, "large_rows_per_second", (double) other.get().rows() / seconds, "rows/s");
            report.add(OVERLOAD, "large_refused_requests", (double) other.get().refused(), "requests");
        } catch (ExecutionException e) {
            throw new IOException("the large tenant failed: " + e.getCause(), e);
        }
        report.add(OVERLOAD, "peak_rss_bytes", (double) ProcessUsage.of(pid).peakRssBytes(), "bytes");
    }

    /** Reports the rows that go through the door, and returns their number per second. */
    private double measureFullLoad(String name, DoorClient door, List<DoorRequest> requests, URI gateway, long pid)
            throws IOException, InterruptedException {
        int seconds = seconds();
        phases.begin("warm up " + name);
        DoorLoad.run(gateway, door, requests, CLIENTS, 0, data.isQuick() ? QUICK_SECONDS : WARM_UP_SECONDS);
        phases.begin(name);
        ProcessUsage before = ProcessUsage.of(pid);
        long begun = System.nanoTime();
        DoorLoad full = DoorLoad.run(gateway, door, requests, CLIENTS, 0, seconds);
        double took = (System.nanoTime() - begun) / 1e9;
        ProcessUsage after = ProcessUsage.of(pid);
        report.add(name, "rows_per_second", (double) full.rows() / took, "rows/s");
        report.add(
                name,
                "rows_per_cpu_second",
                (double) full.rows() / (after.cpuSeconds() - before.cpuSeconds()),
                "rows/s");
        return (double) full.rows() / took;
    }

    /** The lines of each tenant, in batches; what is left over is not sent. */
    private static Map<String, List<List<String>>> batches(Path ndjson) throws IOException {
        Map<String, List<String>> open = new HashMap<>();
        Map<String, List<List<String>>> batches = new HashMap<>();
        try (BufferedReader lines = Files.newBufferedReader(ndjson)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher tenant = TENANT.matcher(line);
                if (!tenant.find()) {
                    throw new IOException("a line of %s has no tenant_id".formatted(ndjson));
                }
                List<String> batch = open.computeIfAbsent(tenant.group(1), any -> new ArrayList<>());
                batch.add(line);
                if (batch.size() == BATCH_ROWS) {
                    batches.computeIfAbsent(tenant.group(1), any -> new ArrayList<>())
                            .add(List.copyOf(batch));
                    batch.clear();
                }
            }
        }
        return batches;
    }

    private static List<DoorRequest> requests(DoorClient door, Map<String, List<List<String>>> batches)
            throws IOException {
        List<DoorRequest> requests = new ArrayList<>();
        for (Map.Entry<String, List<List<String>>> tenant : batches.entrySet()) {
            for (List<String> batch : tenant.getValue()) {
                requests.add(new DoorRequest(tenant.getKey(), door.body(batch), batch.size()));
            }
        }
        return requests;
    }
}
