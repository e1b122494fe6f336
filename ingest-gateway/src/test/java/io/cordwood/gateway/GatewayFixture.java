package io.cordwood.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A gateway on a real Kafka, Redis and catalog service. Its rows are those that the decoder of the ingest job makes of
 * what is in Kafka.
 */
public final class GatewayFixture implements AutoCloseable {
    public static final Set<String> STREAMS = Set.of("logs", "audit");
    private static final int PARTITIONS = 4;
    private static final Duration POLL = Duration.ofMillis(200);

    private final Service kafka;
    private final Service redis;
    private final CatalogServer catalog;
    private final CatalogClient client;
    private final GatewayServer gateway;
    private final HttpClient http = HttpClient.newHttpClient();

    private GatewayFixture(
            Service kafka, Service redis, CatalogServer catalog, CatalogClient client, GatewayServer gateway) {
        this.kafka = kafka;
        this.redis = redis;
        this.catalog = catalog;
        this.client = client;
        this.gateway = gateway;
    }

    /**
     * Starts all of it.
     *
     * @param home an empty directory
     */
    public static GatewayFixture start(Path home) throws Exception {
        Service kafka = TestServices.kafka();
        Service redis = TestServices.redis();
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
        CatalogServer catalog = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + home.resolve("catalog.db"),
                home.resolve("warehouse").toString(),
                Map.of()));
        GatewayServer gateway = GatewayServer.start(options(
                kafka,
                redis,
                new HttpSettings("127.0.0.1", 0, Optional.empty(), OptionalInt.empty()),
                catalog.uri(),
                Map.of()));
        return new GatewayFixture(kafka, redis, catalog, CatalogClient.connect(catalog.uri(), Map.of()), gateway);
    }

    /** Options of a further gateway on the same Kafka and Redis. */
    GatewayOptions options(HttpSettings http, URI catalogOfGateway, Map<String, String> catalogProperties) {
        return options(kafka, redis, http, catalogOfGateway, catalogProperties);
    }

    private static GatewayOptions options(
            Service kafka, Service redis, HttpSettings http, URI catalog, Map<String, String> catalogProperties) {
        Properties brokers = new Properties();
        brokers.setProperty("bootstrap.servers", kafka.address());
        return new GatewayOptions(
                http,
                OptionalInt.of(0),
                http.tlsKeystore().isPresent() ? OptionalInt.empty() : OptionalInt.of(0),
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
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.address(), "max.partition.fetch.bytes", 64 << 20),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(stream).stream()
                    .map((PartitionInfo info) -> new TopicPartition(stream, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (tenant.equals(new String(record.key(), UTF_8))) {
                        records.add(record);
                    }
                }
            }
            return records;
        }
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

    @Override
    public void close() throws IOException {
        gateway.close();
        client.close();
        catalog.close();
        redis.close();
        kafka.close();
    }
}
