package io.cordwood.ingest.builder;

import io.cordwood.ingest.serial.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link PartitionState}. Public for Flink, which creates it by name. */
public final class PartitionStateSerializer extends VersionedSerializer<PartitionState> {
    private static final long serialVersionUID = 1;

    public PartitionStateSerializer() {
        super(1);
    }

    @Override
    protected void write(PartitionState value, DataOutputView out) throws IOException {
        out.writeLong(value.position());
        out.writeLong(value.base());
        out.writeLong(value.flushes());
        out.writeLong(value.bytesRead());
    }

    @Override
    protected PartitionState read(DataInputView in) throws IOException {
        return new PartitionState(in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }
}
