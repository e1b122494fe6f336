package io.cordwood.hot.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.token.TokenRulesException;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A query sees no row of a record that may not name its tenant. */
final class HotTokensIT {
    private static final DecodingPolicy POLICY = DecodingPolicy.DEFAULT.withRequireToken(true);
    private static final LogBlockSchema SCHEMA = TableSchemas.logBlockSchema(TableSchemas.baseSchema(), Map.of());
    /** The topic keeps the producer's times here, so that a test says when a record was appended. */
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    private static final byte[] NONE = new byte[0];

    private final TokenIssuer issuer = new TokenIssuer(NOW.minusSeconds(7200));
    private final byte[] acme = issuer.writer("acme", NOW.plusSeconds(3600));
    private Instant completeUntil = NOW.plusSeconds(7200);
    private Service kafka;
    private Properties client;
    private Admin admin;
    private KafkaProducer<byte[], byte[]> producer;
    private HotTier tier;
    private final List<PolledTokenRules> polled = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        kafka = TestServices.kafka();
        client = new Properties();
        client.setProperty("bootstrap.servers", kafka.address());
        admin = Admin.create(client);
        KafkaTopics.create(
                admin,
                new NewTopic("logs", 1, (short) 1)
                        .configs(Map.of("message.timestamp.type", "CreateTime", "retention.ms", "-1")));
        producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
        tier = tier(Duration.ofSeconds(30));
    }

    private HotTier tier(Duration maxWait) {
        PolledTokenRules rules = new PolledTokenRules(() -> issuer.rules(completeUntil), maxWait, millis -> {}, "test");
        polled.add(rules);
        return new HotTier(client, POLICY, Optional.of(rules), 1 << 20);
    }

    @AfterEach
    void stop() throws Exception {
        tier.close();
        polled.forEach(PolledTokenRules::close);
        producer.close();
        admin.close();
        kafka.close();
    }

    private void send(Instant appended, String key, String header, byte[] token) throws Exception {
        begin(appended, key, header, token).get();
    }

    private Future<RecordMetadata> begin(Instant appended, String key, String header, byte[] token) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                "logs", 0, appended.toEpochMilli(), key.getBytes(UTF_8), "{\"n\":1}".getBytes(UTF_8));
        if (!header.isEmpty()) {
            record.headers().add(KafkaRecord.TENANT_HEADER, header.getBytes(UTF_8));
        }
        if (token.length > 0) {
            record.headers().add(KafkaRecord.TOKEN_HEADER, token);
        }
        return producer.send(record);
    }

    private long rows(String tenantId) {
        return rows(tier, HotTables.one(table(tenantId)));
    }

    private static HotTable table(String tenantId) {
        return new HotTable(tenantId, "", SCHEMA, TableOffsets.NONE);
    }

    private static List<HotSpan> spans(LogEnds end) {
        return List.of(HotSpan.unknown(new OffsetSpan(0, 0, end.ends().get(0))));
    }

    private static ReadLimits limits() {
        return new ReadLimits(1 << 30, Duration.ofSeconds(30));
    }

    private static long rows(HotTier tier, HotTables tables) {
        LogEnds end = tier.end("logs").orElseThrow();
        long rows = 0;
        try (HotScan scan = tier.scan("logs", end.log(), spans(end), tables, limits(), true, new HotReadMetrics())) {
            while (!scan.isDone()) {
                rows += scan.next().stream().mapToLong(HotLogBlock::rowCount).sum();
            }
        }
        return rows;
    }

    private boolean holds(String tenantId) {
        LogEnds end = tier.end("logs").orElseThrow();
        return tier.holds(tenantId, "logs", end.topicId(), spans(end), limits());
    }

    @Test
    void attack34ATokenOfOneTenantShowsNoRowAsAnother() throws Exception {
        send(NOW, "globex", "", acme);
        send(NOW, "acme", "globex", acme);
        send(NOW, "globex", "", NONE);
        assertThat(rows("globex")).isZero();
        assertThat(rows("acme")).as("nor as its own").isZero();
        assertThat(holds("globex")).as("nor does it make a tenant known").isFalse();

        send(NOW, "acme", "", acme);
        send(NOW, "globex", "acme", acme);
        send(NOW, "globex", "", issuer.writer("globex", NOW.plusSeconds(1)));
        assertThat(rows("acme")).as("the twins").isEqualTo(2);
        assertThat(rows("globex")).isEqualTo(1);
        assertThat(holds("globex")).isTrue();
    }

    @Test
    void attack35ATokenThatHadEndedShowsNoRowNowOrLater() throws Exception {
        byte[] expired = issuer.writer("acme", NOW);
        byte[] revoked = issuer.writer("acme", NOW.plusSeconds(3600));
        issuer.revokeLast(NOW.plusSeconds(20));
        send(NOW, "acme", "", expired);
        send(NOW.plusSeconds(20), "acme", "", revoked);
        assertThat(rows("acme")).isZero();
        assertThat(rows("acme")).as("from memory").isZero();

        send(NOW.minusSeconds(1), "acme", "", expired);
        send(NOW.plusMillis(19_999), "acme", "", revoked);
        assertThat(rows("acme")).as("the twins, before the end").isEqualTo(2);
        byte[] later = issuer.writer("acme", NOW.plusSeconds(3600));
        issuer.revokeLast(NOW.plusSeconds(40));
        send(NOW.plusSeconds(30), "acme", "", later);
        completeUntil = NOW.plusSeconds(100_000);
        try (HotTier replay = tier(Duration.ofSeconds(30))) {
            assertThat(rows(replay, HotTables.one(table("acme"))))
                    .as("the same records under newer rules")
                    .isEqualTo(3);
        }
    }

    @Test
    void attack39RecordsOfAThousandUnregisteredTenantsAskForNoTable() throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            sent.add(begin(NOW, "tenant-" + i, "", i % 2 == 0 ? NONE : acme));
        }
        for (Future<RecordMetadata> record : sent) {
            record.get();
        }
        send(NOW, "acme", "", acme);
        Set<String> asked = ConcurrentHashMap.newKeySet();
        assertThat(rows(tier, HotTables.many(tenantId -> {
                    asked.add(tenantId);
                    return Optional.of(table(tenantId));
                })))
                .isEqualTo(1);
        assertThat(asked).as("its twin").containsExactly("acme");
    }

    @Test
    void aRecordThatNoRulesCoverIsNotDecidedAndEndsTheScan() throws Exception {
        send(completeUntil, "acme", "", acme);
        try (HotTier impatient = tier(Duration.ofSeconds(5))) {
            assertThatThrownBy(() -> rows(impatient, HotTables.one(table("acme"))))
                    .isInstanceOf(TokenRulesException.class)
                    .hasMessageContaining("rules of tokens are complete until");
            assertThat(rows(impatient, HotTables.one(table("globex"))))
                    .as("a tenant without such a record does not wait")
                    .isZero();
        }
        completeUntil = completeUntil.plusSeconds(1);
        assertThat(rows("acme")).isZero();
        assertThat(holds("acme")).as("the token had expired by then").isFalse();
    }
}
