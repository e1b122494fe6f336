package io.cordwood.benchmarks.ingest;

import io.cordwood.benchmarks.report.Report;

/**
 * What the ingest job took for rows, from the first shipped to the last committed.
 *
 * @param rows that were shipped
 * @param bytes of their lines
 * @param tenants that sent them
 * @param seconds of wall time
 * @param cpuSeconds of the job's JVM in that time
 * @param peakRssBytes of the job's JVM since its start
 */
record IngestPass(long rows, long bytes, int tenants, double seconds, double cpuSeconds, long peakRssBytes) {
    /** Both together, if the next one shipped rows of the same tenants. */
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
