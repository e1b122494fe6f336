package io.cordwood.systemtests.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** The archiving progress of the lab's topic. */
public record Archiving(Lab lab, Admin admin) {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    /**
     * Waits until archived-through has reached the log end of all partitions; call it while nothing is sent.
     *
     * @throws NotRecoveredException if it does not in time
     */
    public void await() throws NotRecoveredException, InterruptedException {
        await(TIMEOUT);
    }

    /** Waits at most this long. */
    public void await(Duration timeout) throws NotRecoveredException, InterruptedException {
        Await.await(timeout, "all rows are archived", this::isComplete);
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
        return offsets(new ListOffsetsOptions());
    }

    /** The same without what lies behind an open transaction. */
    public Map<Integer, Long> stableOffsets() throws InterruptedException, ExecutionException {
        return offsets(new ListOffsetsOptions(IsolationLevel.READ_COMMITTED));
    }

    private Map<Integer, Long> offsets(ListOffsetsOptions options) throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        topic().partitions()
                .forEach(info -> asked.put(new TopicPartition(Lab.STREAM, info.partition()), OffsetSpec.latest()));
        Map<Integer, Long> ends = new HashMap<>();
        admin.listOffsets(asked, options)
                .all()
                .get()
                .forEach((partition, end) -> ends.put(partition.partition(), end.offset()));
        return ends;
    }
}
