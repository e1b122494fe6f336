package io.cordwood.standalone;

import io.cordwood.catalog.usage.Usage;
import io.cordwood.standalone.sql.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.TreeSet;

/** A tenant's recent usage by stream: this hour, the last day and the last thirty days. Immutable. */
record UsageReport(List<Usage> usage, long hour) {
    /** Number of hours that it covers, including the current one. */
    static final int HOURS = 30 * 24;

    /** The tenant's usage of the last {@link #HOURS}. */
    UsageReport {
        usage = List.copyOf(usage);
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
