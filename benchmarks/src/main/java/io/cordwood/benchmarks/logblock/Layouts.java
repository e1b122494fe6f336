package io.cordwood.benchmarks.logblock;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.peer.Comparison;
import io.cordwood.benchmarks.peer.EnginePeer;
import io.cordwood.benchmarks.peer.Peer;
import io.cordwood.benchmarks.peer.WarmUp;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares LogBlocks with other compression levels, pages, blocks of text and row groups with the default ones: size,
 * CPU to write and to decode a page of text, and the query set run alternately, with each column block decoded again.
 * Not thread-safe.
 */
final class Layouts {
    private static final String DEFAULT = "default";
    /** Of the largest tenant, whose text is decoded. */
    private static final String LARGEST = "1";

    private static final String TEXT = "log";
    private static final LogBlockOptions USUAL = LogBlockOptions.DEFAULTS;
    private static final Map<String, LogBlockOptions> OTHERS = new LinkedHashMap<>();

    static {
        for (int level : List.of(1, 6, 9)) {
            OTHERS.put("zstd_%d".formatted(level), USUAL.withZstdLevel(level));
        }
        for (int kilobytes : List.of(32, 64, 256, 512, 1024)) {
            OTHERS.put(
                    "text_pages_%dk".formatted(kilobytes),
                    with(kilobytes << 10, USUAL.textBlockBytes(), USUAL.pageRows(), USUAL.rowGroupRows()));
        }
        for (int kilobytes : List.of(32, 128)) {
            OTHERS.put(
                    "text_blocks_%dk".formatted(kilobytes),
                    with(USUAL.textPageBytes(), kilobytes << 10, USUAL.pageRows(), USUAL.rowGroupRows()));
        }
        for (int rows : List.of(2048, 32_768)) {
            OTHERS.put(
                    "pages_%d_rows".formatted(rows),
                    with(USUAL.textPageBytes(), USUAL.textBlockBytes(), rows, USUAL.rowGroupRows()));
        }
        OTHERS.put("dense", LogBlockOptions.DENSE);
        OTHERS.put(
                "row_groups_65536_rows", with(USUAL.textPageBytes(), USUAL.textBlockBytes(), USUAL.pageRows(), 65_536));
    }

    private final Report report;
    private final TenantLogBlocks rows = new TenantLogBlocks();
    private final Map<String, TenantTable> largest = new LinkedHashMap<>();

    Layouts(Report report) {
        this.report = report;
    }

    private static LogBlockOptions with(int textPageBytes, int textBlockBytes, int pageRows, int rowGroupRows) {
        return new LogBlockOptions(
                USUAL.zstdLevel(), textPageBytes, textBlockBytes, pageRows, rowGroupRows, USUAL.minIndexedRows());
    }

    /**
     * Writes the rows in each layout and asks the queries.
     *
     * @param directory receives the LogBlocks of all layouts
     * @param leastMillis the noise of a measurement
     */
    void measure(Path ndjson, List<BenchQuery> queries, Path directory, double leastMillis, int warmUpRounds, int runs)
            throws Exception {
        rows.load(ndjson);
        rows.decode();
        // Warms up the JIT; otherwise the first layout would pay for all.
        rows.write(directory.resolve("warm-up"), USUAL);
        List<Peer> others = new ArrayList<>();
        try (EnginePeer usual = write(DEFAULT, USUAL, directory)) {
            for (Map.Entry<String, LogBlockOptions> other : OTHERS.entrySet()) {
                others.add(write(other.getKey(), other.getValue(), directory));
            }
            reportDecoding();
            WarmUp.run(usual, others, queries, warmUpRounds);
            new Comparison(report, usual, others, leastMillis, runs)
                    .measure(queries, query -> "t" + query.tenant())
                    .reportAnswers(report);
            reportBytesRead(usual, queries);
            for (Peer other : others) {
                reportBytesRead(other, queries);
            }
        } finally {
            for (Peer other : others) {
                other.close();
            }
        }
    }

    private EnginePeer write(String name, LogBlockOptions options, Path directory) throws IOException {
        double start = ProcessUsage.ofThisProcess().cpuSeconds();
        TenantLogBlocks.Written written = rows.write(directory.resolve(name), options);
        report.add(name, "cpu_seconds", ProcessUsage.ofThisProcess().cpuSeconds() - start, "s");
        report.add(name, "stored_per_raw", (double) written.bytes() / rows.rawBytes(), "ratio");
        report.add(name, "index_per_raw", (double) written.indexBytes() / rows.rawBytes(), "ratio");
        largest.put(name, written.tables().get(LARGEST));
        return EnginePeer.decoding(name, written.tables());
    }

    private void reportDecoding() throws IOException {
        LogBlockSchema schema = largest.get(DEFAULT).schema();
        PageDecoding decoding = new PageDecoding(schema.columns().get(schema.indexOf(TEXT)));
        for (Map.Entry<String, TenantTable> layout : largest.entrySet()) {
            decoding.add(layout.getKey(), layout.getValue());
        }
        decoding.measure(report);
    }

    /** For open LogBlocks, so without reading footers. */
    private void reportBytesRead(Peer peer, List<BenchQuery> queries) throws Exception {
        long bytes = 0;
        for (BenchQuery query : queries) {
            bytes += peer.ask(query).bytes();
        }
        report.add(peer.name(), "bytes_read", (double) bytes, "bytes");
    }
}
