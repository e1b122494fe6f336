package io.cordwood.ingest.commit;

import io.cordwood.ingest.serial.VersionedSerializer;
import io.cordwood.ingest.source.LogPartitionSerializer;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link Progress}. */
public final class ProgressSerializer extends VersionedSerializer<Progress> {
    private static final long serialVersionUID = 1;

    public ProgressSerializer() {
        super(1);
    }

    @Override
    protected void write(Progress value, DataOutputView out) throws IOException {
        LogPartitionSerializer.INSTANCE.serialize(value.partition(), out);
        out.writeLong(value.flushes());
        out.writeLong(value.lowestUnflushed());
        out.writeLong(value.oldestUnflushedMicros());
    }

    @Override
    protected Progress read(DataInputView in) throws IOException {
        return new Progress(
                LogPartitionSerializer.INSTANCE.deserialize(in), in.readLong(), in.readLong(), in.readLong());
    }
}
