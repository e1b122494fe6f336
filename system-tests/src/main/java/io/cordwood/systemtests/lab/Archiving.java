package io.cordwood.systemtests.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** How far the lab's topic is archived. */
public record Archiving(Lab lab, Admin admin) {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /**
     * Waits until W has reached the end of all partitions; to be called while nothing is sent.
     *
     * @throws NotRecoveredException if it does not in good time
     */
    public void await() throws NotRecoveredException, InterruptedException {
        await(PATIENCE);
    }

    /** Waits no longer than this. */
    public void await(Duration patience) throws NotRecoveredException, InterruptedException {
        Await.await(patience, "all rows are archived", this::isComplete);
    }

    private boolean isComplete() throws IOException, InterruptedException, ExecutionException {
        Map<Integer, Long> archived =
                lab.archivedThrough().getOrDefault(topic().topicId().toString(), Map.of());
        return endOffsets().entrySet().stream()
                .allMatch(end -> archived.getOrDefault(end.getKey(), 0L).equals(end.getValue()));
    }

    public TopicDescription topic() throws InterruptedException, ExecutionException {
        return admin.describeTopics(List.of(Lab.STREAM))
                .topicNameValues()
                .get(Lab.STREAM)
                .get();
    }

    /** End offsets by partition. */
    public Map<Integer, Long> endOffsets() throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        topic().partitions()
                .forEach(info -> asked.put(new TopicPartition(Lab.STREAM, info.partition()), OffsetSpec.latest()));
        Map<Integer, Long> ends = new HashMap<>();
        admin.listOffsets(asked).all().get().forEach((partition, end) -> ends.put(partition.partition(), end.offset()));
        return ends;
    }
}
