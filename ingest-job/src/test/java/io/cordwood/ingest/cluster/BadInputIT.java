package io.cordwood.ingest.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.ingest.cluster.BadRecords.BadRecord;
import io.cordwood.ingest.testing.TableRows;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.services.Bombs;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole job against input that no one should send: nothing is lost without a word, nothing stops it. */
@Timeout(300)
class BadInputIT {
    private static final Pattern DASHBOARD = Pattern.compile("dashboard at (\\S+)");
    private static final Pattern JOB = Pattern.compile("\"jid\":\"([0-9a-f]{32})\"");
    private static final String LARGEST_RECORD = Integer.toString((16 << 20) + (64 << 10));
    private static final String GOOD = "good";

    @TempDir
    private static Path home;

    private static Service broker;
    private static CatalogServer server;
    private static CatalogClient catalog;
    private static Admin admin;
    private static KafkaProducer<byte[], byte[]> producer;

    private String name;
    private Optional<JavaProcess> job = Optional.empty();

    @BeforeAll
    static void startServices() throws Exception {
        broker = TestServices.kafka();
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + home.resolve("catalog.db"),
                home.resolve("warehouse").toString(),
                Map.of()));
        catalog = CatalogClient.connect(server.uri(), Map.of());
        admin = Admin.create(Map.of("bootstrap.servers", broker.address()));
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.address(),
                        "max.request.size",
                        LARGEST_RECORD,
                        "max.in.flight.requests.per.connection",
                        "1"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    static void stopServices() throws IOException {
        producer.close();
        admin.close();
        catalog.close();
        server.close();
        broker.close();
    }

    @BeforeEach
    void name(TestInfo test) {
        name = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void stopJob() throws Exception {
        if (job.isPresent()) {
            job.get().end();
        }
    }

    @Test
    void everyRecordIsRowsOrADeadLetter() throws Exception {
        createTopic("bad");
        start("bad");
        Map<Long, BadRecord> bad = new TreeMap<>();
        List<Long> good = new ArrayList<>();
        for (BadRecord record : BadRecords.all()) {
            bad.put(send(record.to("bad")), record);
            good.add(send(
                    new ProducerRecord<>("bad", 0, GOOD.getBytes(UTF_8), "{\"message\":\"fine\"}".getBytes(UTF_8))));
        }
        awaitArchived("bad");

        Map<Long, List<String>> tenants = tenantsByOffset("bad");
        Map<Long, ConsumerRecord<byte[], byte[]>> letters = letters("bad.dlq");
        bad.forEach((offset, record) -> {
            assertThat(tenants.getOrDefault(offset, List.of()))
                    .as(record.what())
                    .hasSize(record.rows())
                    .allMatch(record.tenantId()::equals);
            assertThat(letters.containsKey(offset))
                    .as("dead letter of %s", record.what())
                    .isEqualTo(!record.reason().isEmpty());
            if (!record.reason().isEmpty()) {
                assertLetter(letters.get(offset), offset, record);
            }
        });
        good.forEach(offset -> assertThat(tenants.get(offset)).containsExactly(GOOD));
        assertThat(letters).hasSize((int) bad.values().stream()
                .filter(record -> !record.reason().isEmpty())
                .count());
        assertNeverRestarted();
    }

    /** The job's heap of 512 MB holds none of the largest, unpacked. */
    @Test
    void whatUnpacksToTooMuchCostsItsTenantOnly() throws Exception {
        createTopic("bombs");
        start("bombs", "512m");
        sendGood("bombs", 10);
        byte[] evil = "evil".getBytes(UTF_8);
        List<Bombs.Zeros> zeros = List.of(
                Bombs.Zeros.value(evil, 600_000_000),
                Bombs.Zeros.value(evil, 100_000_000),
                Bombs.Zeros.key(600_000_000),
                Bombs.Zeros.headers(evil, 10_000_000, 0),
                Bombs.Zeros.headers(evil, 10, 60_000_000));
        Map<Long, Bombs.Zeros> bombs = new TreeMap<>();
        for (CompressionType compression : List.of(CompressionType.ZSTD, CompressionType.GZIP, CompressionType.LZ4)) {
            for (Bombs.Zeros bomb : zeros) {
                bombs.put(Bombs.send(broker.address(), "bombs", 0, Bombs.batch(compression, List.of(bomb))), bomb);
                sendGood("bombs", 1);
            }
        }
        // What comes behind one in its batch is read too.
        long shared = Bombs.send(
                broker.address(),
                "bombs",
                0,
                Bombs.batch(CompressionType.ZSTD, List.of(zeros.getFirst(), zeros.getFirst())));
        bombs.put(shared, zeros.getFirst());
        bombs.put(shared + 1, zeros.getFirst());
        sendGood("bombs", 10);
        awaitArchived("bombs");

        Map<Long, ConsumerRecord<byte[], byte[]>> letters = letters("bombs.dlq");
        assertThat(letters.keySet()).isEqualTo(bombs.keySet());
        letters.forEach((offset, letter) -> {
            assertThat(header(letter, "cordwood.error")).isEqualTo("UNPACKS_TOO_LARGE");
            assertThat(header(letter, "cordwood.message")).contains("the limit is 20971520");
            assertThat(header(letter, "cordwood.topic")).isEqualTo("bombs");
            assertThat(letter.value()).isEmpty();
            if (bombs.get(offset).key().length > 0) {
                assertThat(header(letter, "cordwood.key")).isEqualTo("evil");
            }
        });
        Map<Long, List<String>> tenants = tenantsByOffset("bombs");
        assertThat(tenants).hasSize(10 + zeros.size() * 3 + 10);
        assertThat(tenants.values()).allSatisfy(each -> assertThat(each).containsExactly(GOOD));
        assertNeverRestarted();
    }

    /** The others go on, in the job and in its next start, and the topic is taken up again once it is there. */
    @Test
    void aTopicThatIsDeletedWhileTheJobRuns() throws Exception {
        createTopic("gone");
        createTopic("stays");
        start("gone,stays");
        sendGood("gone", 10);
        sendGood("stays", 10);
        awaitArchived("gone");
        awaitArchived("stays");
        KafkaTopics.delete(admin, "gone");
        sendGood("stays", 10);
        awaitArchived("stays");
        Waiting.until(
                "the job says what is missing",
                () -> job.orElseThrow()
                        .log()
                        .contains("Topic 'gone' does not exist: create it, or leave it out of --streams"));
        sendGood("stays", 10);
        awaitArchived("stays");

        job.orElseThrow().kill();
        start("stays");
        sendGood("stays", 10);
        awaitArchived("stays");
        job.orElseThrow().kill();

        createTopic("gone");
        sendGood("gone", 20);
        start("gone,stays");
        sendGood("gone", 20);
        awaitArchived("gone");
        KafkaTopics.delete(admin, "gone");
        sendGood("stays", 10);
        awaitArchived("stays");
        createTopic("gone");
        sendGood("gone", 60);
        awaitArchived("gone");
        assertThat(tenantsByOffset("stays"))
                .hasSize(50)
                .allSatisfy((offset, tenants) -> assertThat(tenants).containsExactly(GOOD));
        assertThat(tenantsByOffset("gone").values().stream().flatMap(List::stream))
                .hasSize(10 + 40 + 60);
    }

    @Test
    void aTopicThatDoesNotExist() throws Exception {
        start("nowhere");
        assertThat(job.orElseThrow().await()).isEqualTo(1);
        assertThat(job.orElseThrow().log())
                .contains("cannot describe topic 'nowhere': it does not exist; create it first")
                .doesNotContain("\tat ");
    }

    private static void sendGood(String topic, int rows) throws Exception {
        for (int i = 0; i < rows; i++) {
            send(new ProducerRecord<>(topic, 0, GOOD.getBytes(UTF_8), "{\"message\":\"fine\"}".getBytes(UTF_8)));
        }
    }

    private static void assertLetter(ConsumerRecord<byte[], byte[]> letter, long offset, BadRecord record) {
        assertThat(header(letter, "cordwood.error")).as(record.what()).isEqualTo(record.reason());
        assertThat(header(letter, "cordwood.message")).as(record.what()).isNotBlank();
        assertThat(header(letter, "cordwood.topic")).isEqualTo("bad");
        assertThat(header(letter, "cordwood.partition")).isEqualTo("0");
        assertThat(header(letter, "cordwood.offset")).isEqualTo(Long.toString(offset));
        assertThat(letter.value()).as(record.what()).isEqualTo(record.value() == null ? new byte[0] : record.value());
    }

    /** Flink keeps the failures of a job; and rows that could not be written are said in the log. */
    private void assertNeverRestarted() throws Exception {
        String log = job.orElseThrow().log();
        Matcher dashboard = DASHBOARD.matcher(log);
        assertThat(dashboard.find()).as(log).isTrue();
        String base = dashboard.group(1);
        Matcher id = JOB.matcher(get(base + "/jobs/overview"));
        assertThat(id.find()).isTrue();
        assertThat(get(base + "/jobs/" + id.group(1) + "/exceptions")).contains("\"entries\":[]");
        assertThat(log).doesNotContain("Cannot write LogBlocks").doesNotContain("ERROR");
    }

    private static String get(String uri) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static void createTopic(String topic) throws Exception {
        KafkaTopics.create(
                admin,
                new NewTopic(topic, 1, (short) 1)
                        .configs(Map.of(
                                "message.timestamp.type", "LogAppendTime", "max.message.bytes", LARGEST_RECORD)));
    }

    private static long send(ProducerRecord<byte[], byte[]> record) throws Exception {
        return producer.send(record).get().offset();
    }

    private void start(String streams) throws IOException {
        start(streams, "1g");
    }

    private void start(String streams, String heap) throws IOException {
        job = Optional.of(JavaProcess.start(
                home.resolve(name + ".log"),
                heap,
                "io.cordwood.ingest.cluster.IngestCluster",
                List.of(
                        "--bootstrap-servers", broker.address(),
                        "--catalog-uri", server.uri().toString(),
                        "--streams", streams,
                        "--checkpoint-dir", home.resolve("checkpoints-" + name).toString(),
                        "--checkpoint-interval", "500ms",
                        "--parallelism", "1",
                        "--min-age", "1s",
                        "--max-age", "2s",
                        "--buffer-memory", "256mb",
                        "--discovery-interval", "1s",
                        "--work-dir",
                                Files.createDirectories(home.resolve("work-" + name))
                                        .toString(),
                        "--rest-port", "0")));
    }

    private void awaitArchived(String stream) throws Exception {
        try {
            Waiting.until("all rows of " + stream + " are archived", () -> {
                if (!job.orElseThrow().isAlive()) {
                    throw new IllegalStateException("The job ended");
                }
                return catalog.archivedThrough(stream).values().stream()
                                .filter(offset -> offset < TableOffsets.END) // of topics that are gone
                                .mapToLong(Long::longValue)
                                .max()
                                .orElse(0)
                        == end(stream);
            });
        } catch (RuntimeException e) {
            throw new IllegalStateException(job.orElseThrow().log(), e);
        }
    }

    private static long end(String topic) throws InterruptedException {
        TopicPartition partition = new TopicPartition(topic, 0);
        try {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** For each record that became rows the tenant of each row. */
    private static Map<Long, List<String>> tenantsByOffset(String stream) throws IOException {
        Map<Long, List<String>> tenants = new HashMap<>();
        for (Tenant tenant : catalog.tenants()) {
            Optional<LoadedTable> table = catalog.table(tenant.id(), stream);
            if (table.isPresent()) {
                for (long offset : TableRows.longs(catalog, table.get(), LogBlockSchema.KAFKA_OFFSET)) {
                    tenants.computeIfAbsent(offset, first -> new ArrayList<>()).add(tenant.id());
                }
            }
        }
        return tenants;
    }

    /** Dead letters by the offset that they tell. */
    private static Map<Long, ConsumerRecord<byte[], byte[]>> letters(String topic) {
        Map<Long, ConsumerRecord<byte[], byte[]>> letters = new TreeMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            KafkaTopics.forEachRecord(
                    consumer, topic, letter -> letters.put(Long.valueOf(header(letter, "cordwood.offset")), letter));
        }
        return letters;
    }

    private static KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.address(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        return new String(letter.headers().lastHeader(name).value(), UTF_8);
    }
}
