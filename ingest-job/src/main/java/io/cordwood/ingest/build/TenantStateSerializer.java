package io.cordwood.ingest.build;

import io.cordwood.ingest.serial.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link TenantState}. Public for Flink, which creates it by name. */
public final class TenantStateSerializer extends VersionedSerializer<TenantState> {
    private static final long serialVersionUID = 1;

    public TenantStateSerializer() {
        super(1);
    }

    @Override
    protected void write(TenantState value, DataOutputView out) throws IOException {
        out.writeLong(value.from());
        out.writeLong(value.firstChunk());
        out.writeLong(value.nextChunk());
        out.writeLong(value.chunkRows());
        out.writeLong(value.chunkBytes());
        out.writeLong(value.firstOffset());
        out.writeLong(value.oldestAppendMicros());
        out.writeLong(value.bytesBefore());
    }

    @Override
    protected TenantState read(int writtenVersion, DataInputView in) throws IOException {
        return new TenantState(
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }
}
