package io.cordwood.standalone.demo;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.standalone.catalog.StackCatalog;
import io.cordwood.standalone.catalog.UnarchivedRecords;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.secret.Login;
import io.cordwood.standalone.service.StackOptions;
import io.cordwood.standalone.ship.Shipment;
import io.cordwood.standalone.ship.Shipper;
import io.cordwood.standalone.sql.Answer;
import io.cordwood.standalone.sql.SqlClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.ObjLongConsumer;
import java.util.regex.Pattern;

/** The demo on a running stack: ships sample logs, waits until they are archived, and queries them. For one thread. */
public final class Demo implements AutoCloseable {
    private static final String STREAM = "logs";
    private static final int NEEDLE_AT = 25;
    private static final int WARM_RUNS = 3;
    private static final Duration ARCHIVE_LIMIT = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Pattern OURS =
            Pattern.compile("LogBlock|column block|bytes|tables|rows", Pattern.CASE_INSENSITIVE);

    private static final Duration MAX_AGE = Duration.ofSeconds(4);
    /** Long enough for the balancer to see the hot spot in the middle third while it is there. */
    private static final Duration SHIPPING = Duration.ofSeconds(21);
    /**
     * Capacities of a partition and a worker as shares of all traffic: enough for each, except for the hot spot's
     * partition.
     */
    private static final double PARTITION_SHARE = 0.4;

    private static final double WORKER_SHARE = 1.25;

    private final SampleLogs logs;
    private final Endpoints endpoints;
    private final PrintWriter out;
    private final BalancerWatch watch;
    private final Expectations expected = new Expectations(SampleLogs.HOT_TENANT, NEEDLE_AT);

    private Demo(SampleLogs logs, Endpoints endpoints, PrintWriter out) {
        this.logs = logs;
        this.endpoints = endpoints;
        this.out = out;
        watch = new BalancerWatch(endpoints.balancer());
    }

    /**
     * A demo.
     *
     * @param rows number of rows to ship; their times end about now
     */
    public static Demo of(int rows, Endpoints endpoints, PrintWriter out) {
        return new Demo(SampleLogs.endingNow(rows), endpoints, out);
    }

    /**
     * The stack for a demo of so many rows: rows are flushed early, and the balancer has small capacities and a short
     * interval.
     */
    public static StackOptions stack(int rows) {
        double rate = SampleLogs.endingNow(rows).approximateBytes() / SHIPPING.toSeconds();
        return StackOptions.defaults()
                .with(
                        MAX_AGE,
                        Map.of(
                                "interval-ms", "500",
                                "hot-rounds", "5",
                                "window-ms", "3000",
                                "partition-capacity", Long.toString(Math.round(rate * PARTITION_SHARE)),
                                "worker-capacity", Long.toString(Math.round(rate * WORKER_SHARE))));
    }

    /**
     * Ships the rows.
     *
     * @param progress receives the number of acknowledged records and of all records
     * @throws CordwoodException if a record is not acknowledged
     */
    public void ship(ObjLongConsumer<Shipment> progress) throws InterruptedException {
        out.printf(
                "%nshipping %,d rows of %d tenants over %d s; in the middle %s becomes a hot spot%n",
                logs.rows(), SampleLogs.TENANTS.size(), SHIPPING.toSeconds(), expected.tenant());
        Pace pace = new Pace(logs.rows(), SHIPPING);
        long begun = System.nanoTime();
        try (Shipper shipper = Shipper.connect(endpoints.kafka(), endpoints.redis(), STREAM, new Properties())) {
            logs.forEach(row -> {
                byte[] value = row.json().getBytes(StandardCharsets.UTF_8);
                expected.add(row, value.length);
                pace.await();
                shipper.send(row.tenant(), value);
                progress.accept(shipper.shipment(), logs.rows());
            });
            shipper.flush();
            Shipment shipment = shipper.shipment();
            if (shipment.acknowledged() != shipment.sent()) {
                throw new CordwoodException("only %,d of %,d records were acknowledged: %s"
                        .formatted(shipment.acknowledged(), shipment.sent(), shipment.failure()));
            }
        }
        out.printf(
                "  %,d records acknowledged, %.1f MB in %.1f s%n",
                expected.rows(), expected.rawBytes() / 1e6, seconds(begun));
    }

    /**
     * Waits until all rows are in LogBlocks.
     *
     * @param progress receives the number of records not archived yet, and of all records
     */
    public void awaitArchived(ObjLongConsumer<Long> progress) throws InterruptedException {
        long begun = System.nanoTime();
        try (CatalogClient catalog = StackCatalog.connect(endpoints, Login.of(endpoints, Optional.empty()))) {
            long left = unarchived(catalog);
            while (left > 0) {
                progress.accept(left, expected.rows());
                if (System.nanoTime() - begun > ARCHIVE_LIMIT.toNanos()) {
                    throw new CordwoodException(
                            "%,d records are not archived after %d minutes: see log/flink.log of the home"
                                    .formatted(left, ARCHIVE_LIMIT.toMinutes()));
                }
                Thread.sleep(POLL);
                left = unarchived(catalog);
            }
        }
        watch.close();
        out.printf("  archived as LogBlocks %.1f s later%n", seconds(begun));
    }

    /** Runs the typical queries and prints them. @throws CordwoodException if an answer is wrong */
    public void query() {
        List<String> wrong = new ArrayList<>();
        try (SqlClient trino =
                SqlClient.connect(endpoints.trino(), "demo", Map.of(), Login.of(endpoints, Optional.empty()))) {
            for (DemoQuery query : DemoQuery.all(expected)) {
                if (!run(trino, query)) {
                    wrong.add(query.title());
                }
            }
        }
        if (!wrong.isEmpty()) {
            throw new CordwoodException("wrong answers: " + String.join("; ", wrong));
        }
    }

    /**
     * Prints the balancer's reaction to the hot spot.
     *
     * @throws CordwoodException if it does not answer
     */
    public void plan() throws InterruptedException {
        Optional<BalancerPlan> plan = watch.plan(expected.tenant());
        if (plan.isPresent()) {
            plan.get().print(expected.tenant(), out);
        } else {
            out.printf(
                    "%nthe balancer published no plan because it %s: the highest utilisation it saw was %s%n",
                    watch.highest() > 1 ? "did not see the hot spot for long enough" : "found no hot spot",
                    BalancerPlan.percent(watch.highest()));
        }
    }

    /** Prints the size of the rows on disk. */
    public void storage() {
        StoredLogBlocks stored;
        try {
            stored = StoredLogBlocks.of(Path.of(URI.create(endpoints.warehouse())));
        } catch (IOException e) {
            throw new CordwoodException("cannot measure the warehouse: " + Errors.text(e), e);
        }
        out.printf(
                "%nstored: %.1f MB in %,d LogBlocks, index included, for %.1f MB of JSON: %.3f bytes per raw byte%n",
                stored.bytes() / 1e6,
                stored.files(),
                expected.rawBytes() / 1e6,
                stored.bytes() / (double) expected.rawBytes());
    }

    @Override
    public void close() {
        watch.close();
    }

    private boolean run(SqlClient trino, DemoQuery query) {
        long begun = System.nanoTime();
        Answer answer = trino.query(query.sql(), Answer::read);
        double first = seconds(begun);
        double warm = Double.MAX_VALUE;
        for (int i = 0; i < WARM_RUNS; i++) {
            long again = System.nanoTime();
            trino.query(query.sql(), Answer::read);
            warm = Math.min(warm, seconds(again));
        }
        out.printf("%n%s%n  %s%n", query.title(), query.sql());
        if (query.shown()) {
            answer.print(out);
        }
        boolean right = query.right().test(answer);
        out.printf(
                "  %,d row%s, %s; first %.0f ms, then %.0f ms%n",
                answer.rows().size(),
                answer.rows().size() == 1 ? "" : "s",
                right ? "as shipped" : "WRONG",
                first * 1e3,
                warm * 1e3);
        Answer plan = trino.query("EXPLAIN ANALYZE VERBOSE " + query.sql(), Answer::read);
        String metrics = PlanMetrics.summary(plan.column(0), OURS);
        if (!metrics.isEmpty()) {
            out.println("  " + metrics);
        }
        return right;
    }

    private long unarchived(CatalogClient catalog) throws InterruptedException {
        return UnarchivedRecords.byStream(endpoints.kafka(), new Properties(), List.of(STREAM), catalog)
                .getOrDefault(STREAM, 0L);
    }

    private static double seconds(long since) {
        return Duration.ofNanos(System.nanoTime() - since).toMillis() / 1e3;
    }
}
