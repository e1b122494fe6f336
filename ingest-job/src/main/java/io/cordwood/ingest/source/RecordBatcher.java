package io.cordwood.ingest.source;

import io.cordwood.hot.fetch.ConsumedRecords;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.ingest.source.ReadHistory.Position;
import io.cordwood.record.KafkaRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Batches the records that the connector's reader returns one by one. Runs on the task thread.
 *
 * <p>It keeps nothing between polls: all records below the reader's positions, as a checkpoint takes them, have been
 * sent.
 */
final class RecordBatcher implements ReaderOutput<ConsumerRecord<byte[], byte[]>> {
    /** Bytes after which a batch is complete. */
    static final int ENOUGH_BYTES = 16 << 10;
    /** Approximate size of a record besides its arrays. */
    private static final int RECORD_BYTES = 64;

    private final TopicIdGuard topicIds;
    private final List<KafkaRecord> records = new ArrayList<>();
    /** By partition, the end of the records that were sent last. */
    private final Map<LogPartition, Position> positions = new HashMap<>();

    private LogPartition partition;
    private int leaderEpoch;
    private long bytes;
    private ReaderOutput<PartitionEvent> output;

    /** @param topicIds knows the topic of each record */
    RecordBatcher(TopicIdGuard topicIds) {
        this.topicIds = topicIds;
    }

    /** Polls until there are enough records, or no more for now, and sends them on. */
    InputStatus poll(SourceReader<ConsumerRecord<byte[], byte[]>, ?> reader, ReaderOutput<PartitionEvent> to)
            throws Exception {
        output = to;
        bytes = 0;
        InputStatus status;
        do {
            status = reader.pollNext(this);
        } while (status == InputStatus.MORE_AVAILABLE && bytes < ENOUGH_BYTES);
        send();
        return status;
    }

    /** The end of the partition's records that were sent last; empty if none were. */
    Optional<Position> position(LogPartition of) {
        return Optional.ofNullable(positions.get(of));
    }

    @Override
    public void collect(ConsumerRecord<byte[], byte[]> consumed) {
        int epoch = consumed.leaderEpoch().orElse(LogVersion.NO_EPOCH);
        if (!isOfBatch(consumed) || epoch != leaderEpoch) {
            send();
            partition = new LogPartition(consumed.topic(), topicIds.id(consumed.topic()), consumed.partition());
            leaderEpoch = epoch;
        }
        KafkaRecord record = ConsumedRecords.of(consumed);
        bytes += RECORD_BYTES
                + record.key().length
                + record.value().length
                + record.tenantHeader().length
                + record.contentType().length
                + (isTokenOfLast(record) ? 0 : record.token().length);
        records.add(record);
    }

    private boolean isTokenOfLast(KafkaRecord record) {
        return !records.isEmpty() && Arrays.equals(records.getLast().token(), record.token());
    }

    private boolean isOfBatch(ConsumerRecord<byte[], byte[]> consumed) {
        return partition != null
                && consumed.partition() == partition.partition()
                && consumed.topic().equals(partition.stream());
    }

    private void send() {
        if (!records.isEmpty()) {
            output.collect(new RecordBatch(partition, leaderEpoch, records));
            positions.put(partition, new Position(records.getLast().offset() + 1, leaderEpoch));
            records.clear();
        }
    }

    /** Ignores the timestamp: a record carries its own time. */
    @Override
    public void collect(ConsumerRecord<byte[], byte[]> consumed, long timestamp) {
        collect(consumed);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
        send();
        output.emitWatermark(watermark);
    }

    @Override
    public void markIdle() {
        send();
        output.markIdle();
    }

    @Override
    public void markActive() {
        send();
        output.markActive();
    }

    /** Uses one output for all splits: records carry their partition. */
    @Override
    public SourceOutput<ConsumerRecord<byte[], byte[]>> createOutputForSplit(String splitId) {
        return this;
    }

    @Override
    public void releaseOutputForSplit(String splitId) {
        output.releaseOutputForSplit(splitId);
    }
}
