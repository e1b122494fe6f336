package io.cordwood.ingest.builder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.hot.HotLogBlock;
import io.cordwood.hot.HotReadMetrics;
import io.cordwood.hot.HotScan;
import io.cordwood.hot.HotTable;
import io.cordwood.hot.HotTables;
import io.cordwood.hot.HotTier;
import io.cordwood.hot.LogEnds;
import io.cordwood.hot.ReadLimits;
import io.cordwood.hot.fetch.ConsumedRecords;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.token.PolledTokenRules;
import io.cordwood.identity.TokenRules;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.RecordBatch;
import io.cordwood.ingest.testing.MemoryTableStorage;
import io.cordwood.ingest.testing.TokenIssuer;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The job and a hot scan reach the same verdict about each record of a topic, also when it is read again later. */
class RecordTokensIT {
    private static final LogBlockSchema SCHEMA = TableSchemas.logBlockSchema(TableSchemas.baseSchema(), Map.of());
    private static final byte[] NONE = new byte[0];
    /** The topics keep the producer's times here, so that a test says when a record was appended. */
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    private static final Instant END = START.plusSeconds(2000);

    private static Service kafka;
    private static Properties client;
    private static Admin admin;
    private static KafkaProducer<byte[], byte[]> producer;

    private final TokenIssuer issuer = new TokenIssuer(START.minusSeconds(3600));
    private final byte[] acme = issuer.writer("acme", END);
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();
    private String topic;
    private String topicId;

    @BeforeAll
    static void startKafka() throws Exception {
        kafka = TestServices.kafka();
        client = new Properties();
        client.setProperty("bootstrap.servers", kafka.address());
        admin = Admin.create(client);
        producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterAll
    static void stopKafka() throws Exception {
        producer.close();
        admin.close();
        kafka.close();
    }

    @BeforeEach
    void createTopic(TestInfo test) throws Exception {
        topic = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        topicId = create(topic);
        KafkaTopics.create(admin, new NewTopic(topic + ".dlq", 1, (short) 1));
    }

    private static String create(String name) throws Exception {
        NewTopic topic = new NewTopic(name, 1, (short) 1)
                .configs(Map.of("message.timestamp.type", "CreateTime", "retention.ms", "-1"));
        return KafkaTopics.create(admin, topic).toString();
    }

    private void send(Instant appended, String key, String header, byte[] token) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic, 0, appended.toEpochMilli(), key.getBytes(UTF_8), "{\"n\":1}".getBytes(UTF_8));
        if (!header.isEmpty()) {
            record.headers().add(KafkaRecord.TENANT_HEADER, header.getBytes(UTF_8));
        }
        if (token.length > 0) {
            record.headers().add(KafkaRecord.TOKEN_HEADER, token);
        }
        sent.add(producer.send(record));
    }

    private static List<ConsumerRecord<byte[], byte[]>> consume(String topic, int count) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            while (records.size() < count) {
                records.addAll(consumer.poll(Duration.ofSeconds(1)).records(partition));
            }
            return records;
        }
    }

    /** What a job that reads the topic from its beginning makes of it. */
    private Outcome ingest(int records, Supplier<TokenRules> rules) throws Exception {
        for (Future<RecordMetadata> one : sent) {
            one.get();
        }
        MemoryTableStorage storage = new MemoryTableStorage();
        storage.tokenRules(rules);
        try (TokenJob job = new TokenJob(storage, topic, END.toEpochMilli())) {
            job.send(new RecordBatch(
                    new LogPartition(topic, topicId, 0),
                    LogVersion.NO_EPOCH,
                    consume(topic, records).stream().map(ConsumedRecords::of).toList()));
            job.commit();
            return new Outcome(storage, job.deadLetters());
        }
    }

    private record Outcome(MemoryTableStorage storage, List<DeadLetter> deadLetters) {
        List<Long> offsets(String tenantId, String stream) {
            return storage.rows(tenantId, stream).stream()
                    .map(row -> Long.parseLong(row.split("/", -1)[1]))
                    .toList();
        }
    }

    /** The offsets of the rows that a query of a tenant sees. */
    private List<Long> scan(String tenantId, Supplier<TokenRules> rules) throws Exception {
        HotTable table = new HotTable(tenantId, "", SCHEMA, TableOffsets.NONE);
        List<Long> offsets = new ArrayList<>();
        try (PolledTokenRules polled = new PolledTokenRules(rules, Duration.ofSeconds(60), millis -> {}, "test");
                HotTier tier =
                        new HotTier(client, DecodingPolicy.DEFAULT.withRequireToken(true), Optional.of(polled), 0)) {
            LogEnds end = tier.end(topic).orElseThrow();
            List<HotSpan> spans = end.spansFrom(TableOffsets.NONE).stream()
                    .map(HotSpan::unknown)
                    .toList();
            try (HotScan scan = tier.scan(
                    topic,
                    end.log(),
                    spans,
                    HotTables.one(table),
                    new ReadLimits(1 << 30, Duration.ofSeconds(30)),
                    false,
                    new HotReadMetrics())) {
                while (!scan.isDone()) {
                    for (HotLogBlock logBlock : scan.next()) {
                        offsets.addAll(offsets(logBlock.logBlock()));
                    }
                }
            }
        }
        return offsets.stream().sorted().toList();
    }

    private static List<Long> offsets(LogBlock block) throws Exception {
        ReadMetrics metrics = new ReadMetrics();
        int[] rows = block.select(TimeRange.ALL, Predicate.TRUE, ReadOptions.DEFAULTS, metrics)
                .toArray();
        LongVector values = (LongVector)
                block.cursor(SCHEMA.column(LogBlockSchema.KAFKA_OFFSET).orElseThrow(), metrics)
                        .read(rows, 0, rows.length);
        List<Long> offsets = new ArrayList<>();
        for (int i = 0; i < values.length(); i++) {
            offsets.add(values.values()[i]);
        }
        return offsets;
    }

    /** Rules as the polls of one reader see them: each covers a little more. */
    private Supplier<TokenRules> growing(int seconds) {
        int[] polls = {0};
        return () -> issuer.rules(START.plusSeconds((long) seconds * ++polls[0]));
    }

    private TokenRules complete() {
        return issuer.rules(END.plusSeconds(1_000_000));
    }

    private void assertDeadLetters(Outcome outcome, byte[] secret, Long... offsets) throws Exception {
        assertThat(outcome.deadLetters())
                .extracting(letter -> letter.record().offset())
                .containsExactly(offsets);
        DeadLetterSink sink = new DeadLetterSink(client);
        SinkWriter<DeadLetter> writer = sink.createWriter(null);
        for (DeadLetter letter : outcome.deadLetters()) {
            writer.write(letter, null);
        }
        writer.flush(false);
        writer.close();
        String token = new String(secret, UTF_8);
        for (ConsumerRecord<byte[], byte[]> letter : consume(topic + ".dlq", offsets.length)) {
            assertThat(new String(letter.headers().lastHeader("cordwood.error").value(), UTF_8))
                    .isEqualTo("FORBIDDEN_TENANT");
            assertThat(letter.headers().lastHeader(KafkaRecord.TOKEN_HEADER)).isNull();
            for (Header header : letter.headers()) {
                assertThat(new String(header.value(), UTF_8)).doesNotContain(token);
            }
            assertThat(new String(letter.value(), UTF_8)).doesNotContain(token);
        }
    }

    @Test
    void attack34TheTokenOfAcmeWithGlobexsKeyOrHeader() throws Exception {
        send(START, "globex", "", acme);
        send(START, "acme", "globex", acme);
        send(START, "acme", "", acme);
        send(START, "globex", "acme", acme);
        Outcome outcome = ingest(4, this::complete);
        assertDeadLetters(outcome, acme, 0L, 1L);
        assertThat(outcome.storage().hasTable("globex", topic)).isFalse();
        assertThat(scan("globex", this::complete)).isEmpty();
        assertThat(outcome.offsets("acme", topic)).as("the twins").containsExactly(2L, 3L);
        assertThat(scan("acme", this::complete)).containsExactly(2L, 3L);
    }

    @Test
    void attack35ATokenThatHasEndedAndRecordsThatAreReadAgain() throws Exception {
        byte[] expires = issuer.writer("acme", START.plusSeconds(100));
        byte[] revoked = issuer.writer("acme", END);
        issuer.revokeLast(START.plusSeconds(200));
        send(START.plusSeconds(99), "acme", "", expires);
        send(START.plusSeconds(100), "acme", "", expires);
        send(START.plusSeconds(199), "acme", "", revoked);
        send(START.plusSeconds(200), "acme", "", revoked);
        send(START.plusSeconds(201), "acme", "", acme);
        Outcome first = ingest(5, growing(70));
        assertDeadLetters(first, revoked, 1L, 3L);
        assertThat(first.offsets("acme", topic)).as("the twins").containsExactly(0L, 2L, 4L);

        Outcome replayed = ingest(5, this::complete);
        assertThat(replayed.deadLetters())
                .extracting(letter -> letter.record().offset())
                .containsExactly(1L, 3L);
        assertThat(replayed.offsets("acme", topic)).containsExactly(0L, 2L, 4L);
        assertThat(scan("acme", this::complete)).containsExactly(0L, 2L, 4L);
    }

    @Test
    void attack39UnregisteredTenantsMakeNoTables() throws Exception {
        int tenants = 20_000;
        for (int i = 0; i < tenants; i++) {
            send(START, "tenant-" + i, "", i % 3 == 0 ? NONE : acme);
        }
        send(START, "acme", "", acme);
        Outcome outcome = ingest(tenants + 1, this::complete);
        assertThat(outcome.deadLetters())
                .hasSize(tenants)
                .allSatisfy(letter -> assertThat(letter.reason()).isEqualTo("FORBIDDEN_TENANT"));
        assertThat(outcome.storage().hasTable("tenant-0", topic)).isFalse();
        assertThat(outcome.storage().hasTable("tenant-1", topic)).isFalse();
        assertThat(scan("tenant-1", this::complete)).isEmpty();
        assertThat(outcome.offsets("acme", topic)).as("its twin").containsExactly((long) tenants);
    }

    /** A token as the test sees it: whose it is, and when it ends. */
    private record Shipped(String tenant, byte[] token, Instant end) {}

    @Test
    void anyTimelineHasTheSameRowsColdHotAndOnReplay() throws Exception {
        for (long seed = 0; seed < 5; seed++) {
            topic = "timeline-" + seed;
            topicId = create(topic);
            Random random = new Random(seed);
            List<Shipped> tokens = tokens(random);
            Map<String, List<Long>> expected = Map.of("acme", new ArrayList<>(), "globex", new ArrayList<>());
            int records = 300;
            for (long offset = 0; offset < records; offset++) {
                // Some records are older than those before them
                Instant appended = START.plusMillis(offset * 3000 + random.nextInt(20_000));
                String tenant = random.nextBoolean() ? "acme" : "globex";
                Shipped shipped = tokens.get(random.nextInt(tokens.size()));
                boolean byHeader = random.nextBoolean();
                send(appended, byHeader ? "x" : tenant, byHeader ? tenant : "", shipped.token());
                // Kafka keeps milliseconds
                if (shipped.tenant().equals(tenant)
                        && Instant.ofEpochMilli(appended.toEpochMilli()).isBefore(shipped.end())) {
                    expected.get(tenant).add(offset);
                }
            }
            Outcome live = ingest(records, growing(150));
            Outcome replayed = ingest(records, this::complete);
            for (String tenant : expected.keySet()) {
                assertThat(live.offsets(tenant, topic))
                        .as("cold, seed %d", seed)
                        .isEqualTo(expected.get(tenant));
                assertThat(replayed.offsets(tenant, topic)).as("replayed").isEqualTo(expected.get(tenant));
                assertThat(scan(tenant, growing(400))).as("hot").isEqualTo(expected.get(tenant));
                assertThat(scan(tenant, this::complete)).as("hot, later").isEqualTo(expected.get(tenant));
            }
        }
    }

    private List<Shipped> tokens(Random random) {
        List<Shipped> tokens = new ArrayList<>();
        TokenIssuer forger = new TokenIssuer(START);
        for (String tenant : List.of("acme", "globex")) {
            tokens.add(new Shipped(tenant, issuer.writer(tenant, END.plusSeconds(3600)), END.plusSeconds(3600)));
            Instant expires = START.plusSeconds(random.nextInt(900)).truncatedTo(ChronoUnit.SECONDS);
            tokens.add(new Shipped(tenant, issuer.writer(tenant, expires), expires));
            byte[] revoked = issuer.writer(tenant, END);
            Instant from = START.plusMillis(random.nextInt(900_000));
            issuer.revokeLast(from);
            tokens.add(new Shipped(tenant, revoked, from));
            tokens.add(new Shipped("nobody", forger.writer(tenant, END), END));
        }
        tokens.add(new Shipped("nobody", NONE, END));
        byte[] changed = acme.clone();
        changed[changed.length - 20] ^= 2;
        tokens.add(new Shipped("nobody", changed, END));
        return tokens;
    }
}
