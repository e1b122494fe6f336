package io.cordwood.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.source.LogPartition;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupOffsetsCopierTest {
    private static final LogPartition P0 = new LogPartition("logs", "id", 0);
    private static final LogPartition P1 = new LogPartition("logs", "id", 1);

    private final TestGroup group = new TestGroup();
    private final GroupOffsetsCopier copier = new GroupOffsetsCopier(group, 1);

    @AfterEach
    void close() {
        group.answers.add(true);
        copier.close();
    }

    @Test
    void copiesAgainWhatCouldNotBeCopied() throws Exception {
        copier.show(Map.of(P0, 5L));
        assertThat(group.shown.take()).isEqualTo(Map.of(P0, 5L));
        group.answers.add(false);
        assertThat(group.shown.take()).isEqualTo(Map.of(P0, 5L));
        group.answers.add(false);
        assertThat(group.shown.take()).isEqualTo(Map.of(P0, 5L));
    }

    @Test
    void whatCameMeanwhileIsNewer() throws Exception {
        copier.show(Map.of(P0, 5L, P1, 5L));
        assertThat(group.shown.take()).isEqualTo(Map.of(P0, 5L, P1, 5L));
        copier.show(Map.of(P0, 7L));
        group.answers.add(false);
        assertThat(group.shown.take()).isEqualTo(Map.of(P0, 7L, P1, 5L));
    }

    /** A group that takes offsets or not, as the test says. */
    private static final class TestGroup implements GroupOffsets {
        private final BlockingQueue<Map<LogPartition, Long>> shown = new LinkedBlockingQueue<>();
        private final BlockingQueue<Boolean> answers = new LinkedBlockingQueue<>();

        @Override
        public void show(Map<LogPartition, Long> offsets) {
            shown.add(offsets);
            try {
                if (!answers.take()) {
                    throw new IngestException("no coordinator");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {}
    }
}
