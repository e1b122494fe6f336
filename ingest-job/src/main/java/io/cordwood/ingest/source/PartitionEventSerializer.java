package io.cordwood.ingest.source;

import io.cordwood.ingest.serial.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link PartitionEvent}s. Not thread-safe: Flink {@link #duplicate duplicates} it for each thread. */
public final class PartitionEventSerializer extends VersionedSerializer<PartitionEvent> {
    private static final long serialVersionUID = 1;
    private static final int RECORD = 0;
    private static final int EMPTY_BELOW = 1;

    private final RawRecordSerializer records = new RawRecordSerializer();

    public PartitionEventSerializer() {
        super(1);
    }

    @Override
    public TypeSerializer<PartitionEvent> duplicate() {
        return new PartitionEventSerializer();
    }

    @Override
    protected void write(PartitionEvent value, DataOutputView out) throws IOException {
        switch (value) {
            case RawRecord record -> {
                out.writeByte(RECORD);
                records.serialize(record, out);
            }
            case EmptyBelow empty -> {
                out.writeByte(EMPTY_BELOW);
                LogPartitionSerializer.INSTANCE.serialize(empty.partition(), out);
                out.writeLong(empty.offset());
            }
        }
    }

    @Override
    protected PartitionEvent read(int writtenVersion, DataInputView in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case RECORD -> records.deserialize(in);
            case EMPTY_BELOW -> new EmptyBelow(LogPartitionSerializer.INSTANCE.deserialize(in), in.readLong());
            default -> throw new IOException("There is no partition event of kind %d".formatted(kind));
        };
    }
}
