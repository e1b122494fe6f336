package io.cordwood.ingest.builder;

import static io.cordwood.ingest.testing.Records.STREAM;
import static io.cordwood.ingest.testing.Records.TOPIC_ID;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.client.CatalogException;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.RecordBatch;
import io.cordwood.ingest.testing.MemoryTableStorage;
import io.cordwood.ingest.testing.TokenIssuer;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.token.TokenRulesException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RecordTokensTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final Instant START = Instant.ofEpochMilli(NOW);

    private final MemoryTableStorage storage = new MemoryTableStorage();
    private final TokenIssuer issuer = new TokenIssuer(START);
    private final byte[] acme = issuer.writer("acme", START.plusSeconds(3600));

    private static KafkaRecord record(long offset, String tenant, byte[] token) {
        return new KafkaRecord(offset, NOW * 1000, tenant.getBytes(UTF_8), "{\"n\":1}".getBytes(UTF_8))
                .withToken(token);
    }

    private static RecordBatch batch(List<KafkaRecord> records) {
        return new RecordBatch(new LogPartition(STREAM, TOPIC_ID, 0), LogVersion.NO_EPOCH, records);
    }

    private TokenJob start() throws Exception {
        return new TokenJob(storage, STREAM, NOW);
    }

    @Test
    void attack39AHundredThousandUnregisteredTenantsMakeNoTable() throws Exception {
        storage.tokenRules(() -> issuer.rules(START.plusSeconds(10)));
        try (TokenJob job = start()) {
            List<KafkaRecord> records = new ArrayList<>();
            for (int i = 0; i < 100_000; i++) {
                records.add(record(i, "tenant-" + i, i % 2 == 0 ? new byte[0] : acme));
            }
            records.add(record(100_000, "acme", acme));
            job.send(batch(records));
            job.commit();
            assertThat(job.deadLetters())
                    .hasSize(100_000)
                    .allSatisfy(letter -> assertThat(letter.reason()).isEqualTo("FORBIDDEN_TENANT"));
            assertThat(storage.hasTable("tenant-0", STREAM)).isFalse();
            assertThat(storage.hasTable("tenant-1", STREAM)).isFalse();
            assertThat(storage.ensured()
                            + storage.declared().stream()
                                    .mapToInt(Integer::intValue)
                                    .sum())
                    .as("tables that were asked for")
                    .isLessThanOrEqualTo(3);
            assertThat(job.reportedTenants()).containsExactly("acme");
        }
        assertThat(storage.rows("acme", STREAM)).as("its twin").containsExactly("0/100000/0");
    }

    @Test
    void aRefusedRecordLeavesItsTokenBehind() throws Exception {
        storage.tokenRules(() -> issuer.rules(START.plusSeconds(10)));
        try (TokenJob job = start()) {
            job.send(batch(List.of(
                    record(0, "globex", acme),
                    new KafkaRecord(1, NOW * 1000, "acme".getBytes(UTF_8), "no JSON".getBytes(UTF_8))
                            .withToken(acme))));
            assertThat(job.deadLetters())
                    .extracting(DeadLetter::reason)
                    .containsExactly("FORBIDDEN_TENANT", "MALFORMED_JSON");
            assertThat(job.deadLetters()).allSatisfy(letter -> {
                assertThat(letter.record().token()).isEmpty();
                assertThat(letter.message()).doesNotContain(new String(acme, UTF_8));
            });
        }
    }

    @Test
    void aRecordWaitsForTheCatalogAndIsThenDecidedAsEver() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        storage.tokenRules(() -> {
            if (requests.incrementAndGet() < 4) {
                throw new CatalogException(503, "down");
            }
            return issuer.rules(START.plusSeconds(10));
        });
        try (TokenJob job = start()) {
            job.send(batch(List.of(record(0, "acme", acme), record(1, "globex", acme))));
            assertThat(requests).hasValueGreaterThanOrEqualTo(4);
            assertThat(job.deadLetters())
                    .extracting(letter -> letter.record().offset())
                    .containsExactly(1L);
            job.commit();
        }
        assertThat(storage.rows("acme", STREAM)).containsExactly("0/000000/0");
    }

    @Test
    void aTaskThatIsCancelledDoesNotWait() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        storage.tokenRules(() -> {
            asked.countDown();
            return issuer.rules(START.minusSeconds(1));
        });
        AtomicReference<Throwable> end = new AtomicReference<>();
        Thread task = Thread.ofPlatform().start(() -> {
            try (TokenJob job = start()) {
                job.send(batch(List.of(record(0, "acme", acme))));
            } catch (Exception e) {
                end.set(e);
            }
        });
        asked.await();
        task.interrupt();
        task.join();
        assertThat(end.get()).isInstanceOf(TokenRulesException.class).hasMessageContaining("Interrupted");
    }
}
