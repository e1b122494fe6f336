package io.cordwood.benchmarks.search;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.benchmarks.data.BenchQuery;
import java.util.List;

/** The queries of the set as requests of the search service's API. Stateless. */
final class SearchRequests {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The maximum of the API, above the largest answer of the set. */
    private static final int ALL_ROWS = 100_000;

    private SearchRequests() {}

    /**
     * One request.
     *
     * @param operation the last segment of its path
     * @param body its body, a JSON object
     */
    record ApiRequest(String operation, String body) {}

    static ApiRequest of(BenchQuery query) {
        ObjectNode body =
                JSON.createObjectNode().put("from", query.fromMicros()).put("to", query.toMicros());
        return switch (query.template()) {
            case "Q1" ->
                search(
                        body,
                        "ip:%s latency:>=%s fail:false".formatted(parameter(query, "ip"), parameter(query, "latency")),
                        ALL_ROWS,
                        "log");
            case "Q2" -> search(body, "log:" + parameter(query, "token"), ALL_ROWS, "ts", "ip", "api", "log");
            case "Q3" ->
                search(
                        body,
                        "log:%s log:%s".formatted(parameter(query, "token"), parameter(query, "token2")),
                        ALL_ROWS,
                        "ts",
                        "log");
            case "Q4" -> search(body, "log:\"%s\"".formatted(parameter(query, "phrase")), ALL_ROWS, "ts", "log");
            case "Q5" -> ordered(body, query, "desc");
            case "Q6" -> ordered(body, query, "asc");
            case "Q7" ->
                new ApiRequest(
                        "histogram",
                        body.put("query", "log:" + parameter(query, "token"))
                                .put("interval", "1m")
                                .toString());
            case "Q8" ->
                new ApiRequest(
                        "values",
                        body.put("query", "api:\"%s\"".formatted(parameter(query, "api")))
                                .put("column", "ip")
                                .put("limit", 10)
                                .toString());
            default -> throw new IllegalArgumentException("Unknown query template " + query.template());
        };
    }

    private static ApiRequest ordered(ObjectNode body, BenchQuery query, String order) {
        return search(
                body.put("order", order),
                "log:" + parameter(query, "token"),
                query.parameters().get("limit").asInt(),
                "ts",
                "log");
    }

    private static ApiRequest search(ObjectNode body, String query, int limit, String... columns) {
        body.put("query", query).put("limit", limit);
        body.putPOJO("columns", List.of(columns));
        return new ApiRequest("search", body.toString());
    }

    private static String parameter(BenchQuery query, String name) {
        return query.parameters().get(name).asText();
    }
}
