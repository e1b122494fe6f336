package io.cordwood.benchmarks.identity;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Times of small queries on one stack, by one connection. Not thread-safe. */
final class SmallQueries implements AutoCloseable {
    /** Its rows are all committed. */
    private static final String COLD_TENANT = "50";

    private final Map<String, String> queries = new LinkedHashMap<>();
    private final Map<String, List<Double>> millis = new LinkedHashMap<>();
    private final Connection connection;

    /** @param hotRows number of rows of the tenant that has only hot ones */
    SmallQueries(MeasuredStack stack, long hotRows) throws IOException, SQLException, InterruptedException {
        connection = stack.connect();
        queries.put("select_1", "SELECT 1");
        add("cold", COLD_TENANT);
        add("hot", MeasuredStack.HOT_TENANT);
        long found = ask(queries.get("count_hot"));
        if (found != hotRows) {
            throw new IOException("%d hot rows, expected %d".formatted(found, hotRows));
        }
        forget();
    }

    private void add(String tier, String tenant) {
        String count = "SELECT count(*) FROM cordwood.\"%s\".%s".formatted(tenant, TenantLogBlocks.STREAM);
        queries.put("count_" + tier, count);
        queries.put("search_" + tier, count + " WHERE match(log, 'shanghai')");
    }

    Set<String> names() {
        return queries.keySet();
    }

    /** Asks each query once. */
    void ask() throws SQLException {
        for (Map.Entry<String, String> query : queries.entrySet()) {
            long start = System.nanoTime();
            var _ = ask(query.getValue());
            millis.computeIfAbsent(query.getKey(), any -> new ArrayList<>()).add((System.nanoTime() - start) / 1e6);
        }
    }

    private long ask(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    /** Forgets all times so far. */
    void forget() {
        millis.clear();
    }

    double medianMillis(String query) {
        return Percentiles.of(millis.get(query)).median();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
