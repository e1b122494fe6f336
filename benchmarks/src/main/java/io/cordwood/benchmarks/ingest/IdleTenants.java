package io.cordwood.benchmarks.ingest;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Jcmd;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.LineProducer;
import io.cordwood.benchmarks.stack.RunningStack;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures the job's heap for tenants that have sent only one row each. Stateless. */
final class IdleTenants {
    private static final int TIMEOUT_SECONDS = 1800;
    /** After this time the job has released its commit state and has checked its positions again. */
    private static final long QUIET_MILLIS = 30_000;

    private IdleTenants() {}

    /**
     * Sends rows of this number of tenants, measures the heap, and does the same with as many others: the difference is
     * the cost of the others.
     *
     * @param stack an empty stack that flushes rows early
     */
    static void measure(RunningStack stack, Scratch scratch, String stream, int tenants, Report report)
            throws Exception {
        long pid = stack.pid("flink");
        send(stack, scratch, stream, 0, tenants);
        long before = liveBytes(pid);
        send(stack, scratch, stream, tenants, tenants);
        long after = liveBytes(pid);
        report.add(
                "%d after %d".formatted(tenants, tenants),
                "heap_bytes_per_idle_tenant",
                (double) (after - before) / tenants,
                "bytes");
        report.add(
                2 * tenants + " idle",
                "peak_rss_bytes",
                (double) ProcessUsage.of(pid).peakRssBytes(),
                "bytes");
    }

    private static void send(RunningStack stack, Scratch scratch, String stream, int from, int tenants)
            throws Exception {
        Path lines = scratch.directory().resolve("idle-tenants.ndjson");
        try (BufferedWriter out = Files.newBufferedWriter(lines)) {
            for (int tenant = from; tenant < from + tenants; tenant++) {
                out.write("{\"tenant_id\":%d,\"ts\":%d,\"log\":\"a row\"}%n"
                        .formatted(tenant, System.currentTimeMillis() * 1000));
            }
        }
        LineProducer.ship(lines, stack.awaitKafka(), stream);
        stack.awaitRows(stream, from + tenants, TIMEOUT_SECONDS);
    }

    private static long liveBytes(long pid) throws IOException, InterruptedException {
        Thread.sleep(QUIET_MILLIS);
        return Jcmd.liveBytes(pid);
    }
}
