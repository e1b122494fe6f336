package io.cordwood.ingest.source;

import static io.cordwood.ingest.serial.Wire.readText;
import static io.cordwood.ingest.serial.Wire.writeText;

import io.cordwood.ingest.serial.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link LogPartition}s. */
public final class LogPartitionSerializer extends VersionedSerializer<LogPartition> {
    public static final LogPartitionSerializer INSTANCE = new LogPartitionSerializer();
    private static final long serialVersionUID = 1;

    public LogPartitionSerializer() {
        super(1);
    }

    @Override
    protected void write(LogPartition value, DataOutputView out) throws IOException {
        writeText(value.stream(), out);
        writeText(value.topicId(), out);
        out.writeInt(value.partition());
    }

    @Override
    protected LogPartition read(DataInputView in) throws IOException {
        return new LogPartition(readText(in), readText(in), in.readInt());
    }
}
