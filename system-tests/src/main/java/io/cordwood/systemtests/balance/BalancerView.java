package io.cordwood.systemtests.balance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.systemtests.lab.Lab;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** The state of the lab's balancer. For one thread. */
final class BalancerView implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final Lab lab;

    BalancerView(Lab lab) {
        this.lab = lab;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = http.send(
                HttpRequest.newBuilder(URI.create(lab.balancer() + path))
                        .timeout(TIMEOUT)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException("the balancer answers %s with %d".formatted(path, response.statusCode()));
        }
        return JSON.readTree(response.body());
    }

    /** Whether a partition or worker is hot. */
    boolean isAnythingHot() throws IOException, InterruptedException {
        JsonNode load = get("/api/load");
        return isAnyHot(load.path("partitions")) || isAnyHot(load.path("workers"));
    }

    private static boolean isAnyHot(JsonNode spots) {
        return StreamSupport.stream(spots.spliterator(), false)
                .anyMatch(spot -> spot.path("hot").asBoolean());
    }

    long version() throws IOException, InterruptedException {
        return get("/api/routes").path("version").asLong();
    }

    /** The number of tenants in the current routing table. */
    int routedTenants() throws IOException, InterruptedException {
        return get("/api/routes").path("routes").size();
    }

    /** The number of a tenant's routes in the current routing table. */
    int routes(String tenant) throws IOException, InterruptedException {
        return get("/api/routes").path("routes").path(tenant).size();
    }

    /** The time of the first version for a hot spot since then. */
    Optional<Long> firstForHotSpot(long sinceMillis) throws IOException, InterruptedException {
        return StreamSupport.stream(get("/api/history").spliterator(), false)
                .filter(version -> version.path("reason").asText().startsWith("hot"))
                .map(version -> version.path("atMillis").asLong())
                .filter(at -> at >= sinceMillis)
                .min(Long::compare);
    }

    @Override
    public void close() {
        http.close();
    }
}
