package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.source.ReadHistory.Position;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IdlePartitionsTest {
    private static final LogPartition P0 = new LogPartition("logs", "id", 0);
    private static final LogPartition P1 = new LogPartition("logs", "id", 1);
    private static final int EPOCH = 3;

    private final MemoryLogEnds logEnds = new MemoryLogEnds();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final IdlePartitions idle = new IdlePartitions(logEnds, thread);

    @AfterEach
    void closesTheReaderOnce() throws Exception {
        idle.close();
        logEnds.closed.get();
    }

    @Test
    void readsOnlyWhereThePositionStays() throws Exception {
        stay(Map.of(P0, 5L, P1, 5L));
        assertThat(logEnds.asked).isEmpty();

        logEnds.answers.put(at(9));
        CompletableFuture<Void> available = idle.available();
        stay(Map.of(P0, 5L, P1, 6L));
        assertThat(logEnds.asked).containsExactly(Map.of(P0, 5L));
        assertThat(available).isDone();
        assertThat(idle.available()).isDone();
        assertThat(idle.poll()).contains(found(9));
        assertThat(idle.poll()).isEmpty();
        assertThat(idle.available()).isNotDone();
    }

    @Test
    void readsAgainWhereNothingWasFound() throws Exception {
        logEnds.answers.put(Map.of());
        logEnds.answers.put(at(6));
        stay(Map.of(P0, 5L));
        stay(Map.of(P0, 5L));
        assertThat(idle.poll()).isEmpty();
        stay(Map.of(P0, 5L));
        assertThat(idle.poll()).contains(found(6));
    }

    @Test
    void doesNotReadAgainWhereARecordStands() throws Exception {
        logEnds.answers.put(at(5));
        for (int checkpoint = 0; checkpoint < 4; checkpoint++) {
            stay(Map.of(P0, 5L));
        }
        assertThat(logEnds.asked).containsExactly(Map.of(P0, 5L));
        assertThat(idle.poll()).isEmpty();

        logEnds.answers.put(at(7));
        stay(Map.of(P0, 6L));
        stay(Map.of(P0, 6L));
        assertThat(idle.poll()).contains(found(7));
    }

    @Test
    void readsAgainAfterAFailure() throws Exception {
        logEnds.answers.put(MemoryLogEnds.FAILURE);
        logEnds.answers.put(at(6));
        stay(Map.of(P0, 5L));
        stay(Map.of(P0, 5L));
        assertThat(idle.poll()).isEmpty();
        stay(Map.of(P0, 5L));
        assertThat(idle.poll()).contains(found(6));
    }

    @Test
    void waitsForNoRead() throws Exception {
        idle.checkpointed(Map.of(P0, 5L));
        idle.checkpointed(Map.of(P0, 5L));
        idle.checkpointed(Map.of(P0, 5L));
        assertThat(logEnds.asked.take()).isEqualTo(Map.of(P0, 5L));
        assertThat(idle.poll()).isEqualTo(Optional.empty());
    }

    private static Map<LogPartition, Position> at(long offset) {
        return Map.of(P0, new Position(offset, EPOCH));
    }

    private static IdlePartitions.Found found(long offset) {
        return new IdlePartitions.Found(P0, new Position(offset, EPOCH));
    }

    /** A checkpoint, and what may be looked up after it. */
    private void stay(Map<LogPartition, Long> positions) throws Exception {
        idle.checkpointed(positions);
        thread.submit(() -> {}).get();
    }

    /** A reader whose reads wait for the answer that the test gives. */
    private static final class MemoryLogEnds implements LogEndReader {
        private static final Map<LogPartition, Position> FAILURE = Map.of(P1, Position.UNKNOWN);

        final BlockingQueue<Map<LogPartition, Long>> asked = new LinkedBlockingQueue<>();
        final BlockingQueue<Map<LogPartition, Position>> answers = new LinkedBlockingQueue<>();
        final CompletableFuture<Void> closed = new CompletableFuture<>();

        @Override
        public Map<LogPartition, Position> read(Map<LogPartition, Long> positions) {
            asked.add(Map.copyOf(positions));
            try {
                Map<LogPartition, Position> answer = answers.take();
                if (answer.equals(FAILURE)) {
                    throw new IngestException("Kafka does not answer");
                }
                return answer;
            } catch (InterruptedException e) {
                throw new IngestException("Interrupted", e);
            }
        }

        @Override
        public void wakeUp() {
            answers.add(FAILURE);
        }

        @Override
        public void close() {
            assertThat(closed.complete(null)).isTrue();
        }
    }
}
