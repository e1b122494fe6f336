package io.cordwood.ingest.builder;

import static io.cordwood.ingest.testing.Records.STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.testing.MemoryTableStorage;
import io.cordwood.ingest.testing.Records;
import io.cordwood.services.Waiting;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FlushRequestsTest {
    private static final TableOffsets OFFSETS = TableOffsets.of(Map.of(new PartitionId(Records.TOPIC_ID, 0), 5L));

    private final MemoryTableStorage storage = new MemoryTableStorage();
    private long now;

    @Test
    void aRequestIsNewOnceAndKnownFromThenOn() throws Exception {
        storage.requestFlush("acme", STREAM, OFFSETS);
        try (FlushRequests requests = new FlushRequests(storage, "task")) {
            assertThat(requests.of(STREAM)).isEmpty();
            assertThat(awaitNews(requests)).isEqualTo(Map.of(STREAM, Map.of("acme", OFFSETS)));
            assertThat(requests.of(STREAM)).containsOnlyKeys("acme");

            storage.requestFlush("other", STREAM, OFFSETS);
            assertThat(awaitNews(requests)).isEqualTo(Map.of(STREAM, Map.of("other", OFFSETS)));
            assertThat(requests.of(STREAM)).containsOnlyKeys("acme", "other");
        }
    }

    private Map<String, Map<String, TableOffsets>> awaitNews(FlushRequests requests) throws InterruptedException {
        AtomicReference<Map<String, Map<String, TableOffsets>>> news = new AtomicReference<>();
        Waiting.until("requests arrive", () -> {
            now += 1000;
            news.set(requests.poll(Set.of(STREAM), now));
            return !news.get().isEmpty();
        });
        return news.get();
    }
}
