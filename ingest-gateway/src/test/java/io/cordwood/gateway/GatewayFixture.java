package io.cordwood.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.gateway.syslog.SyslogServer;
import io.cordwood.http.HttpSettings;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.Decoding;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A gateway on a real Kafka, Redis and catalog service, for all tests of a class. Its rows are those that the decoder
 * of the ingest job makes of what is in Kafka.
 */
public final class GatewayFixture implements BeforeAllCallback, AfterAllCallback {
    public static final Set<String> STREAMS = Set.of("logs", "audit");
    private static final int PARTITIONS = 4;

    private final HttpClient http = HttpClient.newHttpClient();
    /** What was started, the last first. */
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    private Service kafka;
    private Service redis;
    private CatalogServer catalog;
    private CatalogClient client;
    private GatewayServer gateway;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        Path home = Files.createTempDirectory("gateway");
        started.push(() -> new LocalFileIO().deletePrefix(home.toString()));
        kafka = started(TestServices.kafka());
        redis = started(TestServices.redis());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
            for (String stream : STREAMS) {
                KafkaTopics.create(
                        admin,
                        new NewTopic(stream, PARTITIONS, (short) 1)
                                .configs(Map.of(
                                        "message.timestamp.type",
                                        "LogAppendTime",
                                        "max.message.bytes",
                                        Integer.toString(16 << 20))));
            }
        }
        catalog = started(CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + home.resolve("catalog.db"),
                home.resolve("warehouse").toString(),
                Map.of())));
        client = started(CatalogClient.connect(catalog.uri(), Map.of()));
        gateway = started(GatewayServer.start(options(
                new HttpSettings("127.0.0.1", 0, Optional.empty(), OptionalInt.empty()), catalog.uri(), Map.of())));
    }

    private <T extends AutoCloseable> T started(T service) {
        started.push(service);
        return service;
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }

    /** Options of a gateway on this Kafka and Redis. */
    GatewayOptions options(HttpSettings settings, URI catalog, Map<String, String> catalogProperties) {
        Properties brokers = new Properties();
        brokers.setProperty("bootstrap.servers", kafka.address());
        return new GatewayOptions(
                settings,
                OptionalInt.of(0),
                settings.tlsKeystore().isPresent() ? OptionalInt.empty() : OptionalInt.of(0),
                0,
                catalog,
                catalogProperties,
                brokers,
                URI.create("redis://" + redis.address()),
                List.copyOf(STREAMS),
                Set.of(),
                8 << 20,
                32 << 20,
                16 << 20);
    }

    /** Options on the command line of another gateway on this Kafka, Redis and catalog service. */
    List<String> arguments() {
        return List.of(
                "--catalog-uri",
                catalog.uri().toString(),
                "--bootstrap-servers",
                kafka.address(),
                "--redis",
                redis.url(),
                "--streams",
                String.join(",", STREAMS));
    }

    public URI uri() {
        return gateway.uri();
    }

    /** Where it takes syslog. */
    public SyslogServer syslog() {
        return gateway.syslog().orElseThrow();
    }

    /** Host and port for OTLP over gRPC. */
    public String otlpGrpcAddress() {
        return gateway.otlpGrpcAddress();
    }

    /** A client of the catalog service, to register tenants. */
    public CatalogClient catalog() {
        return client;
    }

    /** Registers a tenant with a quota. */
    public void limit(String tenant, Quota quota) {
        client.putTenant(Tenant.of(tenant).withQuota(quota));
    }

    /** Sends a request. */
    public HttpResponse<String> request(String method, String path, Map<String, String> headers, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(gateway.uri().resolve(path))
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Posts text. */
    public HttpResponse<String> post(String path, String tenant, String contentType, String body)
            throws IOException, InterruptedException {
        return request(
                "POST", path, Map.of("X-Scope-OrgID", tenant, "Content-Type", contentType), body.getBytes(UTF_8));
    }

    /** The records of a tenant as they are in Kafka. */
    public List<ConsumerRecord<byte[], byte[]>> records(String tenant, String stream) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.address(),
                        "max.partition.fetch.bytes",
                        64 << 20,
                        // A client that closes waits for its last request
                        "fetch.max.wait.ms",
                        10),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            KafkaTopics.forEachRecord(consumer, stream, record -> {
                if (tenant.equals(new String(record.key(), UTF_8))) {
                    records.add(record);
                }
            });
        }
        return records;
    }

    /** The rows of a tenant: values that are not null by column. Rows with one time are in the order of Kafka. */
    public List<Map<String, Object>> rows(String tenant, String stream) throws UndecodableRecordException {
        return decoded(tenant, stream).rows();
    }

    /** The rows of a tenant in stream {@code logs}, without the columns that every row has. */
    public List<Map<String, Object>> members(String tenant) throws UndecodableRecordException {
        return decoded(tenant, "logs").allMembers();
    }

    /** The same with their times, {@code ts}. */
    public List<Map<String, Object>> timedMembers(String tenant) throws UndecodableRecordException {
        return rows(tenant, "logs").stream()
                .map(row -> {
                    Map<String, Object> members = new TreeMap<>(row);
                    members.keySet()
                            .removeIf(name -> name.equals(LogBlockSchema.TENANT_ID) || name.startsWith("_kafka"));
                    return members;
                })
                .toList();
    }

    private Decoding decoded(String tenant, String stream) throws UndecodableRecordException {
        Decoding decoding = new Decoding();
        for (ConsumerRecord<byte[], byte[]> record : records(tenant, stream)) {
            Header type = record.headers().lastHeader(KafkaRecord.CONTENT_TYPE_HEADER);
            decoding.add(record.value(), new String(type.value(), UTF_8));
        }
        return decoding;
    }
}
