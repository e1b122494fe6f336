package io.cordwood.search.sql;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cordwood.query.search.GivenUpException;
import io.cordwood.search.http.Admission;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Client;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs SQL in Trino that can only read: each statement in a transaction of its own that is read-only, in which Trino
 * itself refuses whatever writes, and calls of procedures. Trino knows the user by the caller's own credentials, and so
 * applies the grants. Thread-safe.
 */
public final class ReadOnlySql implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadOnlySql.class);
    private static final int MAX_QUERIES = 8;
    private static final int MAX_QUERIES_OF_USER = 2;
    private static final int MAX_WAITING_OF_USER = 20;
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final Duration MAX_TIME = Duration.ofSeconds(60);
    private static final String TRANSACTION = "X-Trino-Transaction-Id";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI trino;
    /** One page at a time is in memory as objects: they take many times its size. */
    private final Semaphore parsing = new Semaphore(1);

    private final Admission admission = new Admission(
            new Admission.Bounds(MAX_QUERIES, MAX_QUERIES_OF_USER, Long.MAX_VALUE), MAX_WAITING_OF_USER, MAX_WAIT);

    /** @param trino address of the coordinator */
    public ReadOnlySql(URI trino) {
        this.trino = requireNonNull(trino, "trino is null");
    }

    /**
     * Runs a statement.
     *
     * @param user the caller's name
     * @param authorization the header by which Trino knows the caller; empty in an open stack
     * @param client who asks: when it leaves, the statement is cancelled
     * @param line gets the columns' names and then each row, as arrays, until it wants no more
     * @throws ApiException if the statement fails, writes, or exceeds a limit
     * @throws GivenUpException if the client leaves
     */
    public void run(String user, Optional<String> authorization, Client client, String sql, Predicate<JsonNode> line)
            throws InterruptedException {
        try (Admission.Running _ = admission.enter(user, 0, client)) {
            Map<String, String> headers = headers(user, authorization);
            long deadline = System.nanoTime() + MAX_TIME.toNanos();
            headers.put(TRANSACTION, begin(headers, deadline));
            try {
                read(headers, deadline, client, sql, line);
            } finally {
                rollBack(headers);
            }
        }
    }

    private static Map<String, String> headers(String user, Optional<String> authorization) {
        Map<String, String> headers = new HashMap<>(Map.of(
                "X-Trino-User",
                user,
                "X-Trino-Source",
                "cordwood-mcp",
                "X-Trino-Catalog",
                "cordwood",
                "X-Trino-Time-Zone",
                "UTC",
                TRANSACTION,
                "NONE"));
        authorization.ifPresent(value -> headers.put("Authorization", value));
        return headers;
    }

    /** Begins a transaction. Returns its id. */
    private String begin(Map<String, String> headers, long deadline) throws InterruptedException {
        try (TrinoPages pages = new TrinoPages(http, trino, parsing, headers, deadline)) {
            pages.run("START TRANSACTION READ ONLY");
            return pages.startedTransaction()
                    .orElseThrow(
                            () -> new ApiException(503, "unavailable", "Trino has begun no transaction: try again"));
        }
    }

    private void read(Map<String, String> headers, long deadline, Client client, String sql, Predicate<JsonNode> line)
            throws InterruptedException {
        try (TrinoPages pages = new TrinoPages(http, trino, parsing, headers, deadline)) {
            boolean hasColumns = false;
            for (Optional<JsonNode> page = Optional.of(pages.begin(sql)); page.isPresent(); page = pages.next()) {
                client.requirePresent();
                List<JsonNode> lines = new ArrayList<>();
                if (!hasColumns && page.get().has("columns")) {
                    hasColumns = true;
                    lines.add(names(page.get().path("columns")));
                }
                page.get().path("data").forEach(lines::add);
                if (!lines.stream().allMatch(line)) {
                    return;
                }
            }
        }
    }

    private static JsonNode names(JsonNode columns) {
        ArrayNode names = JsonNodeFactory.instance.arrayNode();
        columns.forEach(column -> names.add(column.path("name")));
        return names;
    }

    /** Ends the transaction. Trino ends one that nobody uses by itself. */
    private void rollBack(Map<String, String> headers) throws InterruptedException {
        try (TrinoPages pages = new TrinoPages(http, trino, parsing, headers, System.nanoTime() + MAX_WAIT.toNanos())) {
            pages.run("ROLLBACK");
        } catch (ApiException e) {
            LOG.debug("A transaction was not rolled back", e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
