package io.cordwood.trino;

import io.cordwood.catalog.table.ColumnDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A row with a token of its own in one of very many LogBlocks of a tenant, asked for through SQL. Called twice with the
 * same directory: first it writes the LogBlocks; then it asks, cold and warm, and prints times and counts. The second
 * call is the one to make slow, with the agent of the system tests: {@code
 * -javaagent:system-tests/target/system-tests-*.jar=OBJECT_STORE} makes each request take 30 ms.
 */
final class NeedleQueryRunner {
    private static final int ROWS = 200;
    private static final int LOGBLOCKS_OF_A_COMMIT = 100;
    private static final int WARM_RUNS = 9;

    private NeedleQueryRunner() {}

    /** Takes the directory and the number of LogBlocks. */
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        int logBlocks = Integer.parseInt(arguments[1]);
        boolean isWritten = Files.exists(home.resolve("written"));
        Files.createDirectories(home);
        try (CordwoodQueryRunner runner = CordwoodQueryRunner.start(home, Map.of())) {
            if (isWritten) {
                ask(runner, logBlocks);
            } else {
                write(runner, logBlocks);
                Files.createFile(home.resolve("written"));
            }
        }
        System.exit(0);
    }

    private static void write(CordwoodQueryRunner runner, int logBlocks) {
        for (int from = 0; from < logBlocks; from += LOGBLOCKS_OF_A_COMMIT) {
            List<List<SampleRow>> batch = IntStream.range(from, Math.min(logBlocks, from + LOGBLOCKS_OF_A_COMMIT))
                    .mapToObj(logBlock -> IntStream.range(0, ROWS)
                            .mapToObj(row -> row(logBlock, row))
                            .toList())
                    .toList();
            runner.tables()
                    .writeAll(
                            "acme",
                            "logs",
                            0,
                            List.of(ColumnDefinition.keyword("host"), ColumnDefinition.text("message")),
                            batch);
        }
        // Others, for a server that is warm but has not seen this table
        SampleLogs.write(runner.tables(), "other", 2000, 1);
    }

    private static SampleRow row(int logBlock, int row) {
        long number = logBlock * (long) ROWS + row;
        return new SampleRow(
                SampleLogs.START_MICROS + number * 40_000,
                Map.of(
                        "host",
                        "10.0.%d.%d".formatted(number % 200, number * 7 % 250),
                        "message",
                        "GET /api/v1/order/%d took %d ms trace_id=%016x span=%08x"
                                .formatted(
                                        number % 5000,
                                        number * 31 % 977,
                                        trace(number),
                                        number * 0x85EBCA6BL & 0xFFFFFFFFL)));
    }

    private static long trace(long number) {
        return number * 0x9E3779B97F4A7C15L;
    }

    private static void ask(CordwoodQueryRunner runner, int logBlocks) {
        for (int i = 0; i < 200; i++) {
            runner.rows("SELECT ts, host, message FROM other.logs WHERE match(message, 'x%d')"
                    .formatted(i)
                    .replace("host", "\"host.name\""));
        }
        String query = "SELECT ts, host, message FROM acme.logs WHERE match(message, '%016x')";
        print(runner, "cold", query.formatted(trace(logBlocks / 2 * (long) ROWS + 17)));
        for (int run = 0; run < WARM_RUNS; run++) {
            long number = logBlocks * (long) ROWS / WARM_RUNS * run + 5;
            print(runner, "another needle", query.formatted(trace(number)));
        }
        System.out.println(ScanMetrics.of(runner, query.formatted(trace(77))));
    }

    private static void print(CordwoodQueryRunner runner, String name, String sql) {
        long start = System.nanoTime();
        int rows = runner.rows(sql).size();
        System.out.printf("%s: %d rows, %.0f ms%n", name, rows, (System.nanoTime() - start) / 1e6);
    }
}
