package io.cordwood.ingest.builder;

import static io.cordwood.ingest.serial.Wire.readText;
import static io.cordwood.ingest.serial.Wire.writeText;

import io.cordwood.ingest.serial.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes {@link ChunkKey}: the tenant first, so that a tenant's chunks are adjacent in the order of their numbers, and
 * a flush finds them in few blocks. Public for Flink, which creates it by name.
 *
 * <p>The state finds chunks by these bytes, including the version byte, so they never change: another layout needs
 * another state with another name.
 */
public final class ChunkKeySerializer extends VersionedSerializer<ChunkKey> {
    private static final long serialVersionUID = 1;

    public ChunkKeySerializer() {
        super(1);
    }

    @Override
    protected void write(ChunkKey value, DataOutputView out) throws IOException {
        writeText(value.tenantId(), out);
        out.writeLong(value.number());
    }

    @Override
    protected ChunkKey read(DataInputView in) throws IOException {
        return new ChunkKey(readText(in), in.readLong());
    }
}
