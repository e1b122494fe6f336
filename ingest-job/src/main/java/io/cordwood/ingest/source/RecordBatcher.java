package io.cordwood.ingest.source;

import io.cordwood.ingest.source.ReadHistory.Position;
import io.cordwood.record.KafkaRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;

/**
 * Gathers the records that the connector's reader hands over one by one. Runs on the task thread.
 *
 * <p>Nothing is kept from one poll to the next: what the reader's positions are past, as a checkpoint takes them, has
 * been sent.
 */
final class RecordBatcher implements ReaderOutput<RawRecord> {
    /** Bytes after which no more records are asked for. */
    static final int ENOUGH_BYTES = 16 << 10;
    /** What a record takes besides its arrays, about. */
    private static final int RECORD_BYTES = 64;

    private final List<KafkaRecord> records = new ArrayList<>();
    /** Of each partition where its records ended that were sent last. */
    private final Map<LogPartition, Position> positions = new HashMap<>();

    private LogPartition partition;
    private int leaderEpoch;
    private long bytes;
    private ReaderOutput<PartitionEvent> output;

    /** Polls until there are enough records, or none are left for now, and sends them on. */
    InputStatus poll(SourceReader<RawRecord, ?> reader, ReaderOutput<PartitionEvent> to) throws Exception {
        output = to;
        bytes = 0;
        InputStatus status;
        do {
            status = reader.pollNext(this);
        } while (status == InputStatus.MORE_AVAILABLE && bytes < ENOUGH_BYTES);
        send();
        return status;
    }

    /** Where the partition's records ended that were sent last; empty if none were. */
    Optional<Position> position(LogPartition of) {
        return Optional.ofNullable(positions.get(of));
    }

    @Override
    public void collect(RawRecord raw) {
        if (partition == null || !raw.isOf(partition) || raw.leaderEpoch() != leaderEpoch) {
            send();
            partition = raw.partition();
            leaderEpoch = raw.leaderEpoch();
        }
        KafkaRecord record = raw.kafka();
        records.add(record);
        bytes += RECORD_BYTES
                + record.key().length
                + record.value().length
                + record.tenantHeader().length
                + record.contentType().length;
    }

    private void send() {
        if (!records.isEmpty()) {
            output.collect(new RawRecords(partition, leaderEpoch, records));
            positions.put(partition, new Position(records.getLast().offset() + 1, leaderEpoch));
            records.clear();
        }
    }

    /** The time of a record is what it says, not when it came. */
    @Override
    public void collect(RawRecord raw, long timestamp) {
        collect(raw);
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

    /** Partitions are told apart by their records. */
    @Override
    public SourceOutput<RawRecord> createOutputForSplit(String splitId) {
        return this;
    }

    @Override
    public void releaseOutputForSplit(String splitId) {
        output.releaseOutputForSplit(splitId);
    }
}
