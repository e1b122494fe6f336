package io.cordwood.ingest.builder;

import static io.cordwood.ingest.serial.Wire.readLength;
import static io.cordwood.ingest.serial.Wire.writeLength;

import io.cordwood.ingest.serial.VersionedSerializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes {@link TenantState}. Public for Flink, which creates it by name.
 *
 * <p>Version 1 lacks chunk boundaries: all chunks form one range. Versions 1 and 2 lack the times of reading: rows
 * count as read when Kafka appended them. Versions before 4 lack undeclared rows: the rows' flush declares the columns
 * they need.
 */
public final class TenantStateSerializer extends VersionedSerializer<TenantState> {
    private static final long serialVersionUID = 1;

    public TenantStateSerializer() {
        super(4);
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
    protected TenantState read(int writtenVersion, DataInputView in) throws IOException {
        if (writtenVersion == 1) {
            return readVersion1(in);
        }
        long from = in.readLong();
        long nextChunk = in.readLong();
        long undeclaredFrom = writtenVersion < 4 ? UndeclaredRows.NONE : in.readLong();
        int count = readLength(in);
        List<ChunkRange> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ranges.add(readRange(writtenVersion, in));
        }
        return new TenantState(from, nextChunk, undeclaredFrom, ranges);
    }

    private static ChunkRange readRange(int writtenVersion, DataInputView in) throws IOException {
        long first = in.readLong();
        long next = in.readLong();
        long firstOffset = in.readLong();
        long oldestAppendMicros = in.readLong();
        long sinceMillis = writtenVersion == 2 ? oldestAppendMicros / 1000 : in.readLong();
        return new ChunkRange(first, next, firstOffset, oldestAppendMicros, sinceMillis, in.readLong(), in.readLong());
    }

    private static TenantState readVersion1(DataInputView in) throws IOException {
        long from = in.readLong();
        long firstChunk = in.readLong();
        long nextChunk = in.readLong();
        long rows = in.readLong();
        long bytes = in.readLong();
        long firstOffset = in.readLong();
        long oldestAppendMicros = in.readLong();
        long bytesBefore = in.readLong();
        ChunkRange all = new ChunkRange(
                firstChunk, nextChunk, firstOffset, oldestAppendMicros, oldestAppendMicros / 1000, bytesBefore, bytes);
        return new TenantState(from, nextChunk, UndeclaredRows.NONE, rows == 0 ? List.of() : List.of(all));
    }
}
