package io.cordwood.benchmarks.logblock;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.table.FileRangeReader;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.PageBuffers;
import io.cordwood.logblock.parquet.PageBytes;
import io.cordwood.logblock.parquet.ParquetFile;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * CPU of decoding the pages of a text column, up to a row at some share of their rows, in LogBlocks of several layouts
 * by turns. Not thread-safe.
 */
final class PageDecoding {
    private static final int ROUNDS = 9;
    private static final List<Double> SHARES = List.of(0.0, 0.25, 0.5, 0.75, 1.0);

    private final Column column;
    private final Map<String, List<Page>> layouts = new LinkedHashMap<>();

    private record Page(ParquetFile file, int number, int rows, Map<ParquetFile.LeafPage, PageBytes> bytes) {}

    /** @param column a column of text without a dictionary */
    PageDecoding(Column column) {
        this.column = column;
    }

    void add(String layout, TenantTable table) throws IOException {
        List<Page> pages = new ArrayList<>();
        ReadMetrics metrics = new ReadMetrics();
        for (TenantTable.Stored stored : table.blocks()) {
            try (FileRangeReader in = new FileRangeReader(stored.file())) {
                ParquetFile file = ParquetFile.open(in, metrics);
                ColumnPages columnPages = file.pages(column);
                int[] numbers = IntStream.range(0, columnPages.count()).toArray();
                Map<ParquetFile.LeafPage, PageBytes> bytes =
                        file.fetch(List.of(new ParquetFile.PageRequest(column, numbers)), metrics);
                for (int number : numbers) {
                    pages.add(new Page(file, number, columnPages.rows(number), bytes));
                }
            }
        }
        layouts.put(layout, pages);
    }

    /** Reports the least of several rounds for each layout and share. */
    void measure(Report report) throws IOException {
        Map<String, double[]> least = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Map.Entry<String, List<Page>> layout : layouts.entrySet()) {
                double[] micros = least.computeIfAbsent(layout.getKey(), _ -> newLeast());
                for (int i = 0; i < SHARES.size(); i++) {
                    micros[i] = Math.min(micros[i], microsPerPage(layout.getValue(), SHARES.get(i)));
                }
            }
        }
        least.forEach((layout, micros) -> {
            for (int i = 0; i < SHARES.size(); i++) {
                report.add(
                        layout,
                        "decode_page_to_%d_percent".formatted(Math.round(100 * SHARES.get(i))),
                        micros[i],
                        "us");
            }
        });
    }

    private static double[] newLeast() {
        return SHARES.stream().mapToDouble(_ -> Double.MAX_VALUE).toArray();
    }

    private double microsPerPage(List<Page> pages, double share) throws IOException {
        PageBuffers buffers = new PageBuffers();
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (Page page : pages) {
            int wanted = Math.max(1, (int) (share * page.rows()));
            Vector values = page.file().decode(column, page.number(), wanted, page.bytes(), buffers);
            if (values instanceof StringVector text && !text.isDictionary()) {
                buffers.give(text.bytes());
            }
        }
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / 1e3 / pages.size();
    }
}
