package io.cordwood.query.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
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
import io.cordwood.hot.LogEnds;
import io.cordwood.hot.ReadLimits;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.identity.Audience;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import io.cordwood.identity.TokenRules;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.record.KafkaRecord;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HotTierReaderIT {
    private static final HotTable ACME = new HotTable(
            "acme", "", TableSchemas.logBlockSchema(TableSchemas.baseSchema(), Map.of()), TableOffsets.NONE);

    private final SigningKeys keys = SigningKeys.create();
    private final ExecutorService planners = Executors.newSingleThreadExecutor();
    private Service kafka;

    @BeforeEach
    void startKafka() throws Exception {
        kafka = TestServices.kafka();
        Map<String, Object> client = Map.of("bootstrap.servers", kafka.address());
        try (Admin admin = Admin.create(client);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            KafkaTopics.create(admin, new NewTopic("logs", 1, (short) 1));
            producer.send(record(writer("acme"))).get();
            producer.send(record(writer("globex"))).get();
        }
    }

    @AfterEach
    void stopKafka() throws Exception {
        planners.shutdownNow();
        kafka.close();
    }

    private static ProducerRecord<byte[], byte[]> record(String token) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>("logs", "acme".getBytes(UTF_8), "{\"n\":1}".getBytes(UTF_8));
        record.headers().add(KafkaRecord.TOKEN_HEADER, token.getBytes(US_ASCII));
        return record;
    }

    private String writer(String tenant) {
        Instant now = Instant.now();
        return keys.sign(new Token(
                "of-" + tenant,
                "anna",
                Audience.RECORDS,
                now,
                now.plusSeconds(3600),
                Optional.of(new Token.Scope(tenant, TenantRole.WRITER, Set.of())),
                Optional.empty(),
                Optional.empty()));
    }

    private HotTierReader reader(boolean requireTokens, Supplier<TokenRules> rules) {
        return new HotTierReader(
                new HotTierReader.Settings(
                        Optional.of(kafka.address()),
                        Optional.empty(),
                        Optional.empty(),
                        Duration.ofSeconds(1),
                        0,
                        "",
                        requireTokens,
                        0),
                planners,
                rules);
    }

    private TokenRules rules() {
        return new TokenRules(keys.publicKeys(), Map.of(), Instant.now().plusSeconds(10));
    }

    private static long rows(HotTierReader reader) {
        LogEnds end = reader.end("logs").orElseThrow();
        List<HotSpan> spans =
                end.spansFrom(TableOffsets.NONE).stream().map(HotSpan::unknown).toList();
        ReadLimits limits = new ReadLimits(1 << 20, Duration.ofSeconds(30));
        long rows = 0;
        try (HotScan scan =
                reader.scan("logs", end.log(), spans, HotTables.one(ACME), limits, false, new HotReadMetrics())) {
            while (!scan.isDone()) {
                rows += HotFailures.translated(scan::next).stream()
                        .mapToLong(HotLogBlock::rowCount)
                        .sum();
            }
        }
        return rows;
    }

    @Test
    void aQueryThatRequiresTokensSeesRowsOfGoodOnesOnly() {
        HotTierReader strict = reader(true, this::rules);
        assertThat(rows(strict)).isEqualTo(1);
        strict.close();
        HotTierReader open = reader(false, () -> {
            throw new AssertionError("nobody needs rules");
        });
        assertThat(rows(open)).isEqualTo(2);
        open.close();
    }

    @Test
    void aQueryDoesNotWaitForEverForTheCatalog() {
        HotTierReader reader = reader(true, () -> {
            throw new QueryException(QueryError.CATALOG_ERROR, "Is the catalog service up?");
        });
        assertThatThrownBy(() -> rows(reader))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.error()).isEqualTo(QueryError.CATALOG_ERROR))
                .hasMessageContaining("Cannot check records in Kafka")
                .hasMessageContaining("Is the catalog service up?");
        reader.close();
    }
}
