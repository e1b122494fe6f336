package io.cordwood.standalone.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.tenant.TenantDeletion;
import io.cordwood.catalog.usage.Usage;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.catalog.usage.UsageParser;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** HTTP client of the catalog service for the command line. Thread-safe. */
public final class CatalogApi {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String TENANTS = "/cordwood/v1/tenants";

    private final String uri;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    /** Stored data of one table of a tenant. */
    public record Table(String stream, long rows, long files, long bytes) {}

    public CatalogApi(String uri) {
        this.uri = uri;
    }

    /**
     * Archived-through by topic id and partition: all rows below this offset are committed.
     *
     * @throws CordwoodException if the service does not answer
     */
    public Map<String, Map<Integer, Long>> archivedThrough(String stream) {
        Map<String, Map<Integer, Long>> offsets = new HashMap<>();
        for (Map.Entry<String, JsonNode> topic : get("/cordwood/v1/streams/" + segment(stream) + "/archived-through")
                .properties()) {
            Map<Integer, Long> partitions = offsets.computeIfAbsent(topic.getKey(), id -> new HashMap<>());
            topic.getValue()
                    .properties()
                    .forEach(entry -> partitions.put(
                            Integer.valueOf(entry.getKey()), entry.getValue().asLong()));
        }
        return offsets;
    }

    /** The registered tenants, ordered by id. @throws CordwoodException if the service does not answer */
    public List<TenantEntry> tenants() {
        List<TenantEntry> tenants = new ArrayList<>();
        get(TENANTS).path("tenants").forEach(tenant -> tenants.add(new TenantEntry((ObjectNode) tenant)));
        return tenants;
    }

    /** The tenant of that id, if it is registered. @throws CordwoodException if the service does not answer */
    public Optional<TenantEntry> tenant(String id) {
        return tenants().stream().filter(tenant -> tenant.id().equals(id)).findFirst();
    }

    /**
     * Tenants that are being deleted, or were deleted since yesterday. @throws CordwoodException if the service does
     * not answer
     */
    public List<TenantDeletion> tenantDeletions() {
        List<TenantDeletion> deletions = new ArrayList<>();
        get("/cordwood/v1/tenant-deletions")
                .path("deletions")
                .forEach(deletion -> deletions.add(CatalogJson.deletion(deletion)));
        return deletions;
    }

    /** Replaces the tenant's registry entry. @throws CordwoodException if the service refuses */
    public void put(TenantEntry tenant) {
        send(request(TENANTS + "/" + segment(tenant.schema()))
                .PUT(HttpRequest.BodyPublishers.ofString(tenant.json().toString()))
                .header("Content-Type", "application/json"));
    }

    /** One page of a tenant's usage since an hour. @throws CordwoodException if the service does not answer */
    public UsageParser.UsagePage usage(String tenantId, long fromHour) {
        UsageFilter filter = new UsageFilter(fromHour, UsageFilter.ALL.toHour(), Set.of(tenantId));
        List<Usage> usage = new ArrayList<>();
        long missing = 0;
        while (true) {
            UsageParser.UsagePage page = UsageParser.page(send(request("/cordwood/v1/usage")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            UsageParser.toJson(filter).toString()))
                    .header("Content-Type", "application/json")));
            usage.addAll(page.usage());
            missing = Math.max(missing, page.tablesMissing());
            if (page.nextHour().isEmpty()) {
                return new UsageParser.UsagePage(usage, page.nextHour(), missing);
            }
            filter = filter.from(page.nextHour().getAsLong());
        }
    }

    /** The streams in which a tenant has a table. @throws CordwoodException if the service does not answer */
    public List<String> streams(String schema) {
        String path = "/v1/namespaces";
        for (JsonNode namespace : get(path).path("namespaces")) {
            if (namespace.path(0).asText().equals(schema)) {
                List<String> streams = new ArrayList<>();
                get(path + "/" + segment(schema) + "/tables")
                        .path("identifiers")
                        .forEach(identifier ->
                                streams.add(identifier.path("name").asText()));
                return streams;
            }
        }
        return List.of();
    }

    /** A tenant's stored data by stream. @throws CordwoodException if the service does not answer */
    public List<Table> tables(String schema) {
        String path = "/v1/namespaces/" + segment(schema) + "/tables";
        List<Table> tables = new ArrayList<>();
        for (String name : streams(schema)) {
            JsonNode metadata = get(path + "/" + segment(name)).path("metadata");
            long current = metadata.path("current-snapshot-id").asLong(-1);
            for (JsonNode snapshot : metadata.path("snapshots")) {
                if (snapshot.path("snapshot-id").asLong() == current) {
                    JsonNode summary = snapshot.path("summary");
                    tables.add(new Table(
                            name,
                            summary.path("total-records").asLong(),
                            summary.path("total-data-files").asLong(),
                            summary.path("total-files-size").asLong()));
                }
            }
        }
        return tables;
    }

    private JsonNode get(String path) {
        return send(request(path).GET());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(uri + path)).timeout(TIMEOUT);
    }

    private JsonNode send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            JsonNode body = response.body().isEmpty() ? JSON.createObjectNode() : JSON.readTree(response.body());
            if (response.statusCode() >= 300) {
                String message = body.path("error").path("message").asText("status " + response.statusCode());
                throw new CordwoodException("the catalog at %s says: %s".formatted(uri, message));
            }
            return body;
        } catch (IOException e) {
            throw new CordwoodException("the catalog at %s does not answer: %s".formatted(uri, Errors.text(e)), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CordwoodException("interrupted while waiting for the catalog", e);
        }
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
