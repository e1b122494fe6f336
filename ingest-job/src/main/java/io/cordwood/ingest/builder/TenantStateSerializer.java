package io.cordwood.ingest.builder;

import static io.cordwood.ingest.serial.Wire.readLength;
import static io.cordwood.ingest.serial.Wire.writeLength;

import io.cordwood.ingest.serial.VersionedSerializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
        out.writeLong(value.nextChunk());
        out.writeLong(value.undeclaredFrom());
        writeLength(value.ranges().size(), out);
        for (ChunkRange range : value.ranges()) {
            out.writeLong(range.first());
            out.writeLong(range.next());
            out.writeLong(range.firstOffset());
            out.writeLong(range.oldestAppendMicros());
            out.writeLong(range.sinceMillis());
            out.writeLong(range.bytesBefore());
            out.writeLong(range.bytes());
        }
    }

    @Override
    protected TenantState read(DataInputView in) throws IOException {
        long from = in.readLong();
        long nextChunk = in.readLong();
        long undeclaredFrom = in.readLong();
        int count = readLength(in);
        List<ChunkRange> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ranges.add(new ChunkRange(
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong()));
        }
        return new TenantState(from, nextChunk, undeclaredFrom, ranges);
    }
}
