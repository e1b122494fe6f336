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
 * Polls the balancer while rows are shipped, because the balancer soon forgets the load for which it made each version
 * of the routing table. Thread-safe.
 */
final class BalancerWatch implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(100);
    /** The balancer may be restarting. */
    private static final Duration AWAY = Duration.ofSeconds(30);

    private final URI balancer;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final Map<Long, BalancerPlan.Change> changes = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile double highest;

    /** Starts polling. */
    BalancerWatch(String balancer) {
        this.balancer = URI.create(balancer);
        thread = Thread.ofVirtual().name("balancer watch").start(this::watch);
    }

    private void watch() {
        SeenLoad before = SeenLoad.NONE;
        try {
            while (true) {
                SeenLoad load = poll();
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

    /** The load as the balancer reports it; retries while the balancer does not answer. */
    private SeenLoad poll() throws InterruptedException {
        while (true) {
            try {
                return SeenLoad.parse(get("/api/load"));
            } catch (IOException e) {
                Thread.sleep(POLL);
            }
        }
    }

    /** The highest utilisation of a partition or worker that was seen, under the table then in force. */
    double highest() {
        return highest;
    }

    /**
     * The plan for the worst hot spot, preferably one that changed the tenant's routes; empty if there was none.
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
                HttpRequest.newBuilder(balancer.resolve(path)).timeout(TIMEOUT).build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("it answers %d to %s".formatted(answer.statusCode(), path));
        }
        return JSON.readTree(answer.body());
    }

    /** Stops polling. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
