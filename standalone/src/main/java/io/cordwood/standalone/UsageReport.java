package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.usage.Usage;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.catalog.usage.UsageParser.UsagePage;
import io.cordwood.standalone.sql.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A tenant's recent usage by stream: this hour, the last day and the last thirty days. Immutable.
 *
 * @param usage usage of the last thirty days
 * @param hour the current hour since 1970
 * @param tablesMissing number of tables whose usage may be incomplete
 */
record UsageReport(List<Usage> usage, long hour, long tablesMissing) {
    /** Number of hours that it covers, including the current one. */
    private static final int HOURS = 30 * 24;

    UsageReport {
        usage = List.copyOf(usage);
    }

    /** Reads all pages. */
    static UsageReport read(CatalogClient catalog, String tenantId) {
        long hour = TimeUnit.MILLISECONDS.toHours(System.currentTimeMillis());
        List<Usage> usage = new ArrayList<>();
        long tablesMissing = 0;
        OptionalLong from = OptionalLong.of(hour - HOURS + 1);
        while (from.isPresent()) {
            UsagePage page =
                    catalog.usage(new UsageFilter(from.getAsLong(), UsageFilter.ALL.toHour(), Set.of(tenantId)));
            usage.addAll(page.usage());
            tablesMissing = Math.max(tablesMissing, page.tablesMissing());
            from = page.nextHour();
        }
        return new UsageReport(usage, hour, tablesMissing);
    }

    void print(PrintWriter out) {
        TextTable table = new TextTable(
                out,
                List.of(
                        new TextTable.Column("stream", false),
                        new TextTable.Column("used", false),
                        new TextTable.Column("rows", true),
                        new TextTable.Column("raw bytes", true),
                        new TextTable.Column("stored bytes", true),
                        new TextTable.Column("scanned bytes", true)));
        for (String stream : new TreeSet<>(usage.stream().map(Usage::stream).toList())) {
            add(table, stream, "this hour", 1);
            add(table, stream, "last 24 hours", 24);
            add(table, stream, "last 30 days", HOURS);
        }
        table.finish();
    }

    private void add(TextTable table, String stream, String period, int hours) {
        List<Usage> within = usage.stream()
                .filter(entry -> entry.stream().equals(stream) && entry.hour() > hour - hours)
                .toList();
        table.add(List.of(
                stream,
                period,
                Long.toString(within.stream()
                        .mapToLong(entry -> entry.ingested().rows())
                        .sum()),
                Long.toString(within.stream()
                        .mapToLong(entry -> entry.ingested().rawBytes())
                        .sum()),
                Long.toString(within.stream()
                        .mapToLong(entry -> entry.ingested().storedBytes())
                        .sum()),
                Long.toString(within.stream().mapToLong(Usage::scannedBytes).sum())));
    }
}
