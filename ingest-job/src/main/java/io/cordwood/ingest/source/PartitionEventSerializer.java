package io.cordwood.ingest.source;

import io.cordwood.ingest.serial.VersionedSerializer;
import io.cordwood.ingest.serial.Wire;
import io.cordwood.record.KafkaRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link PartitionEvent}s, which are never part of a checkpoint. */
public final class PartitionEventSerializer extends VersionedSerializer<PartitionEvent> {
    private static final long serialVersionUID = 1;
    private static final int RECORDS = 0;
    private static final int OFFSET_ADVANCE = 1;

    public PartitionEventSerializer() {
        super(2);
    }

    @Override
    protected void write(PartitionEvent value, DataOutputView out) throws IOException {
        switch (value) {
            case RecordBatch raw -> {
                out.writeByte(RECORDS);
                LogPartitionSerializer.INSTANCE.serialize(raw.partition(), out);
                out.writeInt(raw.leaderEpoch());
                Wire.writeLength(raw.records().size(), out);
                BatchTokens tokens = new BatchTokens();
                for (KafkaRecord record : raw.records()) {
                    KafkaRecordWire.write(record, tokens, out);
                }
            }
            case OffsetAdvance advance -> {
                out.writeByte(OFFSET_ADVANCE);
                LogPartitionSerializer.INSTANCE.serialize(advance.partition(), out);
                out.writeLong(advance.offset());
            }
        }
    }

    @Override
    protected PartitionEvent read(DataInputView in) throws IOException {
        int kind = in.readByte();
        LogPartition partition = LogPartitionSerializer.INSTANCE.deserialize(in);
        return switch (kind) {
            case RECORDS -> new RecordBatch(partition, in.readInt(), records(in));
            case OFFSET_ADVANCE -> new OffsetAdvance(partition, in.readLong());
            default -> throw new IOException("There is no partition event of kind %d".formatted(kind));
        };
    }

    private static List<KafkaRecord> records(DataInputView in) throws IOException {
        int count = Wire.readLength(in);
        BatchTokens tokens = new BatchTokens();
        List<KafkaRecord> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            records.add(KafkaRecordWire.read(tokens, in));
        }
        return records;
    }
}
