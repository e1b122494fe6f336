package io.cordwood.benchmarks.ingest;

import io.cordwood.benchmarks.report.Report;

/**
 * The cost of rows in the ingest job, from the first shipped to the last committed.
 *
 * @param rows number of shipped rows
 * @param bytes size of their lines
 * @param tenants number of their tenants
 * @param seconds wall time
 * @param cpuSeconds CPU time of the job's JVM in that time
 * @param peakRssBytes peak resident set of the job's JVM since its start
 */
record IngestPass(long rows, long bytes, int tenants, double seconds, double cpuSeconds, long peakRssBytes) {
    /** The sum of two passes with rows of the same tenants. */
    IngestPass and(IngestPass next) {
        return new IngestPass(
                rows + next.rows,
                bytes + next.bytes,
                next.tenants,
                seconds + next.seconds,
                cpuSeconds + next.cpuSeconds,
                next.peakRssBytes);
    }

    void reportSpeed(Report report, String name) {
        report.add(name, "rows_per_second", rows / seconds, "rows/s");
        report.add(name, "rows_per_cpu_second", rows / cpuSeconds, "rows/s");
    }
}
