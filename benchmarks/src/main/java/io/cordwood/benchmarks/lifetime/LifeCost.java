package io.cordwood.benchmarks.lifetime;

import io.cordwood.benchmarks.report.Report;

/**
 * What the rows of a case cost until their days were merged.
 *
 * @param rows acknowledged rows
 * @param tenants number of their tenants
 * @param rawBytes size of their lines
 * @param ingest CPU seconds of the ingest job
 * @param commits CPU seconds of the catalog service meanwhile
 * @param flushed number of LogBlocks that were flushed
 * @param merging CPU seconds of the merges
 * @param rewrites CPU seconds of the catalog service meanwhile
 * @param merges number of merges
 * @param storedBytes size of the merged LogBlocks
 */
record LifeCost(
        long rows,
        int tenants,
        long rawBytes,
        double ingest,
        double commits,
        long flushed,
        double merging,
        double rewrites,
        long merges,
        long storedBytes) {
    private static final double MICROS = 1e6;
    private static final double MILLIS = 1e3;
    private static final double TENANT_DAYS = 1000;

    double cpuSeconds() {
        return ingest + commits + merging + rewrites;
    }

    double rowsPerCpuSecond() {
        return rows / cpuSeconds();
    }

    void report(Report report, LifeCase lives) {
        String name = lives.name();
        report.add(name, "rows", (double) rows, "rows");
        report.add(name, "rows_per_cpu_second", rowsPerCpuSecond(), "rows/s");
        report.add(
                name,
                "cpu_seconds_per_1000_tenant_days",
                cpuSeconds() * TENANT_DAYS / ((double) tenants * lives.days()),
                "s");
        report.add(name, "ingest_cpu_us_per_row", ingest / rows * MICROS, "us");
        report.add(name, "merge_cpu_us_per_row", merging / rows * MICROS, "us");
        report.add(name, "commit_cpu_ms", commits / flushed * MILLIS, "ms");
        report.add(name, "merge_cpu_ms", (merging + rewrites) / Math.max(1, merges) * MILLIS, "ms");
        report.add(name, "catalog_cpu_share", (commits + rewrites) / cpuSeconds(), "ratio");
        report.add(name, "logblocks_flushed", (double) flushed, "files");
        report.add(name, "merges", (double) merges, "merges");
        report.add(name, "stored_per_raw", (double) storedBytes / rawBytes, "ratio");
    }
}
