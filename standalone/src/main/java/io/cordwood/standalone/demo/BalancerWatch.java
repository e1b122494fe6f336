package io.cordwood.standalone.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks at the balancer while rows are shipped: what it knew when it made each version of the routing table, it does
 * not know for long. Thread-safe.
 */
final class BalancerWatch implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(100);
    /** It may just be starting again. */
    private static final Duration AWAY = Duration.ofSeconds(30);

    private final URI balancer;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final Map<Long, BalancerPlan.Change> changes = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile double highest;

    /** Begins to look. */
    BalancerWatch(String balancer) {
        this.balancer = URI.create(balancer);
        thread = Thread.ofVirtual().name("balancer watch").start(this::watch);
    }

    private void watch() {
        SeenLoad before = SeenLoad.NONE;
        try {
            while (true) {
                SeenLoad load = look();
                if (load.version() != before.version()) {
                    changes.put(load.version(), new BalancerPlan.Change(before, load));
                }
                before = load;
                highest = Math.max(highest, load.utilisation());
                Thread.sleep(POLL);
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    /** The load as the balancer sees it; a balancer that is away will be back. */
    private SeenLoad look() throws InterruptedException {
        while (true) {
            try {
                return SeenLoad.parse(get("/api/load"));
            } catch (IOException e) {
                Thread.sleep(POLL);
            }
        }
    }

    /** The highest utilisation of a partition or worker that was seen, by the table then in force. */
    double highest() {
        return highest;
    }

    /**
     * The plan against the worst hot spot, of those that gave a tenant other routes if there are any; empty if there
     * was none.
     *
     * @throws CordwoodException if the balancer does not answer for half a minute
     */
    Optional<BalancerPlan> plan(String tenant) throws InterruptedException {
        return history()
                .valueStream()
                .filter(BalancerPlan::isAgainstHotSpot)
                .map(version -> new BalancerPlan(
                        version,
                        Optional.ofNullable(changes.get(version.path("version").asLong()))))
                .max(Comparator.comparing((BalancerPlan plan) -> plan.moves(tenant))
                        .thenComparing(BalancerPlan::utilisationBefore));
    }

    private JsonNode history() throws InterruptedException {
        long end = System.nanoTime() + AWAY.toNanos();
        while (true) {
            try {
                return get("/api/history");
            } catch (IOException e) {
                if (System.nanoTime() - end > 0) {
                    throw new CordwoodException(
                            "the balancer at %s does not answer: %s".formatted(balancer, Errors.text(e)), e);
                }
                Thread.sleep(POLL);
            }
        }
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(balancer.resolve(path)).timeout(PATIENCE).build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("it answers %d to %s".formatted(answer.statusCode(), path));
        }
        return JSON.readTree(answer.body());
    }

    /** Looks no more. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
