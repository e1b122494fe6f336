package io.cordwood.benchmarks.data;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Chooses the queries of the set from any number of rows, and computes the answers from the raw lines. */
public final class DerivedQueries {
    private static final Pattern SEPARATORS = Pattern.compile("[^\\p{L}\\p{M}\\p{Nd}]+");
    private static final long HOUR = 3_600_000_000L;

    private DerivedQueries() {}

    public static List<BenchQuery> of(Path ndjson) throws IOException {
        Map<String, List<RequestRow>> byTenant = new HashMap<>();
        Set<String> tenants = Set.of("1", "50", "500");
        RequestRow.forEach(ndjson, row -> {
            if (tenants.contains(row.tenant())) {
                byTenant.computeIfAbsent(row.tenant(), tenant -> new ArrayList<>())
                        .add(row);
            }
        });
        List<BenchQuery> queries = new ArrayList<>();
        for (String tenant : List.of("1", "50", "500")) {
            List<RequestRow> rows = byTenant.getOrDefault(tenant, List.of());
            if (!rows.isEmpty()) {
                RequestRow middle = sample(rows);
                addAll(tenant, "1h", middle.ts() - HOUR / 2, middle.ts() + HOUR / 2, middle, rows, queries);
                addAll(tenant, "24h", middle.ts() - 12 * HOUR, middle.ts() + 12 * HOUR, middle, rows, queries);
            }
        }
        return queries;
    }

    /**
     * A row near the middle whose first tokens a substring search finds as well, because peers without tokens search
     * substrings.
     */
    private static RequestRow sample(List<RequestRow> rows) {
        return rows.stream()
                .skip(rows.size() / 2)
                .filter(row -> isFoundBySubstring(row, rows))
                .findFirst()
                .orElse(rows.get(rows.size() / 2));
    }

    private static boolean isFoundBySubstring(RequestRow sample, List<RequestRow> rows) {
        List<String> terms = tokens(sample.log()).subList(0, 2);
        if (!sample.log().toLowerCase(Locale.ROOT).contains(String.join(" ", terms))) {
            return false;
        }
        return rows.stream().noneMatch(row -> {
            String text = row.log().toLowerCase(Locale.ROOT);
            return terms.stream()
                    .anyMatch(token -> text.contains(token) && !tokens(text).contains(token));
        });
    }

    private static void addAll(
            String tenant,
            String range,
            long from,
            long to,
            RequestRow sample,
            List<RequestRow> rows,
            List<BenchQuery> queries) {
        List<RequestRow> inRange =
                rows.stream().filter(row -> row.ts() >= from && row.ts() < to).toList();
        List<String> tokens = tokens(sample.log());
        String rare = tokens.stream()
                .filter(token -> token.length() >= 16)
                .findFirst()
                .orElse(tokens.getLast());
        ObjectNode parameters = new ObjectMapper()
                .createObjectNode()
                .put("ip", sample.ip())
                .put("api", sample.api())
                .put("latency", 10)
                .put("limit", 100)
                .put("phrase", tokens.get(0) + " " + tokens.get(1))
                .put("token2", tokens.get(1));
        for (int i = 1; i <= 8; i++) {
            ObjectNode own = parameters.deepCopy().put("token", i == 2 ? rare : tokens.getFirst());
            BenchQuery query = new BenchQuery("Q" + i, tenant, range, from, to, own, 0);
            queries.add(new BenchQuery(query.template(), tenant, range, from, to, own, answer(query, inRange)));
        }
    }

    private static long answer(BenchQuery query, List<RequestRow> rows) {
        String token = query.parameters().get("token").asText();
        String token2 = query.parameters().get("token2").asText();
        long limit = query.parameters().get("limit").asLong();
        return switch (query.template()) {
            case "Q1" ->
                rows.stream()
                        .filter(row -> row.ip()
                                        .equals(query.parameters().get("ip").asText())
                                && row.latency()
                                        >= query.parameters().get("latency").asLong()
                                && !row.fail())
                        .count();
            case "Q2", "Q7" -> count(rows, token);
            case "Q3" ->
                rows.stream()
                        .filter(row -> new HashSet<>(tokens(row.log())).containsAll(List.of(token, token2)))
                        .count();
            case "Q4" ->
                rows.stream()
                        .filter(row -> (" " + String.join(" ", tokens(row.log())) + " ")
                                .contains(" " + query.parameters().get("phrase").asText() + " "))
                        .count();
            case "Q5", "Q6" -> Math.min(limit, count(rows, token));
            case "Q8" ->
                Math.min(
                        10,
                        rows.stream()
                                .filter(row -> row.api()
                                        .equals(query.parameters().get("api").asText()))
                                .map(RequestRow::ip)
                                .distinct()
                                .count());
            default -> throw new IllegalArgumentException("Unknown query template " + query.template());
        };
    }

    private static long count(List<RequestRow> rows, String token) {
        return rows.stream().filter(row -> tokens(row.log()).contains(token)).count();
    }

    public static List<String> tokens(String text) {
        return List.of(SEPARATORS.split(text.toLowerCase(Locale.ROOT), -1)).stream()
                .filter(token -> !token.isEmpty())
                .toList();
    }
}
