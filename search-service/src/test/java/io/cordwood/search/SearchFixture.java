package io.cordwood.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.http.HttpSettings;
import io.cordwood.query.QuerySettings;
import io.cordwood.query.search.ScanLimits;
import io.cordwood.query.snapshot.HotTierReader;
import io.cordwood.search.alert.AlertSettings;
import io.cordwood.services.FreePort;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A search service on a real Kafka and a real catalog service. All rows are hot: no job flushes them. */
final class SearchFixture implements AutoCloseable {
    static final String STREAM = "logs";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MEGABYTE = 1 << 20;

    private final Service kafka;
    private final CatalogServer catalog;
    private final CatalogClient client;
    private final SearchServerOptions options;
    private SearchServer search;
    private boolean isUp = true;
    private final KafkaProducer<byte[], byte[]> producer;
    private final HttpClient http = HttpClient.newHttpClient();

    private SearchFixture(
            Service kafka,
            CatalogServer catalog,
            CatalogClient client,
            SearchServerOptions options,
            KafkaProducer<byte[], byte[]> producer)
            throws IOException {
        this.kafka = kafka;
        this.catalog = catalog;
        this.client = client;
        this.options = options;
        this.search = SearchServer.start(options);
        this.producer = producer;
    }

    static SearchFixture start(Path home) throws Exception {
        Service kafka = TestServices.kafka();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
            KafkaTopics.create(
                    admin,
                    new NewTopic(STREAM, 4, (short) 1).configs(Map.of("message.timestamp.type", "LogAppendTime")));
        }
        CatalogServer catalog = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + home.resolve("catalog.db"),
                home.resolve("warehouse").toString(),
                Map.of()));
        CatalogClient client = CatalogClient.connect(catalog.uri(), Map.of());
        SearchServerOptions options = options(kafka.address(), catalog.uri(), FreePort.choose());
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.address()), new ByteArraySerializer(), new ByteArraySerializer());
        return new SearchFixture(kafka, catalog, client, options, producer);
    }

    private static SearchServerOptions options(String kafka, URI catalog, int port) {
        return new SearchServerOptions(
                new HttpSettings("127.0.0.1", port, Optional.empty(), OptionalInt.empty()),
                new QuerySettings(
                        catalog,
                        Map.of(),
                        List.of(STREAM),
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(1),
                        4,
                        4,
                        new QuerySettings.Caches(
                                MEGABYTE,
                                MEGABYTE,
                                MEGABYTE,
                                8 * MEGABYTE,
                                8 * MEGABYTE,
                                8 * MEGABYTE,
                                Optional.empty(),
                                MEGABYTE),
                        new HotTierReader.Settings(
                                Optional.of(kafka),
                                Optional.empty(),
                                Optional.empty(),
                                Duration.ofMillis(100),
                                MEGABYTE,
                                "",
                                false,
                                32 * MEGABYTE)),
                new ScanLimits(1L << 30, 1L << 30, Duration.ofSeconds(30), 2),
                8,
                4,
                4,
                128 * MEGABYTE,
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                AlertSettings.NONE);
    }

    URI uri() {
        return search.uri();
    }

    /** Stops the service alone, until {@link #startService}. */
    void stopService() throws IOException {
        search.close();
        isUp = false;
    }

    /** Starts it again if it is stopped, at the same address and with nothing in its caches. */
    void startService() throws IOException {
        if (!isUp) {
            search = SearchServer.start(options);
            isUp = true;
        }
    }

    CatalogClient catalog() {
        return client;
    }

    URI catalogUri() {
        return catalog.uri();
    }

    Service kafka() {
        return kafka;
    }

    /** Makes a tenant's table, as the first flush of its rows would. */
    void createTable(String tenant, ColumnDefinition... columns) {
        client.ensureTable(tenant, STREAM, List.of(columns));
    }

    /** Ships rows and waits until Kafka has acknowledged them. */
    void ship(String tenant, List<Map<String, Object>> rows) throws Exception {
        List<Future<?>> sent = new ArrayList<>();
        for (Map<String, Object> row : rows) {
            sent.add(producer.send(new ProducerRecord<>(STREAM, tenant.getBytes(UTF_8), json(row))));
        }
        for (Future<?> record : sent) {
            record.get();
        }
    }

    private static byte[] json(Map<String, Object> row) {
        try {
            return JSON.writeValueAsBytes(row);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not JSON: " + row, e);
        }
    }

    /** Sends a request about a tenant's logs. */
    HttpResponse<String> post(String tenant, String operation, String body) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(of(tenant, operation))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The same, by a client that takes Arrow. */
    HttpResponse<byte[]> postForArrow(String tenant, String operation, String body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(of(tenant, operation))
                        .header("Accept", "application/vnd.apache.arrow.stream, application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(search.uri().resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    URI of(String tenant, String operation) {
        return search.uri().resolve("/api/v1/tenants/%s/streams/%s/%s".formatted(tenant, STREAM, operation));
    }

    HttpClient http() {
        return http;
    }

    /** The lines of an answer. */
    static List<JsonNode> lines(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            throw new IllegalStateException(response.statusCode() + ": " + response.body());
        }
        return response.body().lines().map(SearchFixture::parse).toList();
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not JSON: " + json, e);
        }
    }

    @Override
    public void close() throws IOException {
        producer.close();
        stopService();
        client.close();
        catalog.close();
        kafka.close();
    }
}
