package io.cordwood.ingest.commit;

import static io.cordwood.ingest.serial.Wire.readBytes;
import static io.cordwood.ingest.serial.Wire.readLength;
import static io.cordwood.ingest.serial.Wire.readText;
import static io.cordwood.ingest.serial.Wire.writeBytes;
import static io.cordwood.ingest.serial.Wire.writeLength;
import static io.cordwood.ingest.serial.Wire.writeText;

import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.ingest.serial.VersionedSerializer;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.LogPartitionSerializer;
import io.cordwood.logblock.schema.ColumnMetrics;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.sketch.DistinctSketch;
import io.cordwood.logblock.sketch.TokenFilter;
import io.cordwood.logblock.write.LogBlockSummary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link TableFlush}es. They stay in checkpoints until they are committed. */
public final class TableFlushSerializer extends VersionedSerializer<TableFlush> {
    private static final long serialVersionUID = 1;

    private static final byte[] NO_FILTER = new byte[0];

    private static final int ABSENT = 0;
    private static final int LONG = 1;
    private static final int DOUBLE = 2;
    private static final int BOOLEAN = 3;
    private static final int TEXT = 4;

    public TableFlushSerializer() {
        super(1);
    }

    @Override
    protected void write(TableFlush value, DataOutputView out) throws IOException {
        LogPartitionSerializer.INSTANCE.serialize(value.partition(), out);
        writeText(value.tenantId(), out);
        out.writeLong(value.number());
        Flush flush = value.flush();
        out.writeLong(flush.from());
        out.writeLong(flush.to());
        writeText(flush.tableUuid(), out);
        writeLength(flush.files().size(), out);
        for (LogBlockFile file : flush.files()) {
            writeText(file.location(), out);
            out.writeInt(file.epochDay());
            writeSummary(file.summary(), out);
        }
        writeLength(flush.appendRuns().size(), out);
        for (AppendRun run : flush.appendRuns()) {
            out.writeLong(run.firstOffset());
            out.writeLong(run.hour());
            out.writeLong(run.rows());
            out.writeLong(run.rawBytes());
        }
    }

    @Override
    protected TableFlush read(DataInputView in) throws IOException {
        LogPartition partition = LogPartitionSerializer.INSTANCE.deserialize(in);
        String tenantId = readText(in);
        long number = in.readLong();
        long from = in.readLong();
        long to = in.readLong();
        String tableUuid = readText(in);
        int count = readLength(in);
        List<LogBlockFile> files = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            files.add(new LogBlockFile(readText(in), in.readInt(), readSummary(in)));
        }
        return new TableFlush(
                partition,
                tenantId,
                number,
                new Flush(partition.topicId(), partition.partition(), from, to, tableUuid, files, readAppendRuns(in)));
    }

    private static List<AppendRun> readAppendRuns(DataInputView in) throws IOException {
        int count = readLength(in);
        List<AppendRun> appendRuns = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            appendRuns.add(new AppendRun(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
        }
        return appendRuns;
    }

    private static void writeSummary(LogBlockSummary summary, DataOutputView out) throws IOException {
        out.writeLong(summary.sizeInBytes());
        out.writeLong(summary.rowCount());
        out.writeLong(summary.indexBytes());
        out.writeLong(summary.time().fromMicros());
        out.writeLong(summary.time().toMicros());
        writeLength(summary.splitOffsets().size(), out);
        for (long offset : summary.splitOffsets()) {
            out.writeLong(offset);
        }
        writeLength(summary.columns().size(), out);
        for (Map.Entry<Integer, ColumnMetrics> column : summary.columns().entrySet()) {
            out.writeInt(column.getKey());
            ColumnMetrics metrics = column.getValue();
            out.writeLong(metrics.sizeInBytes());
            out.writeLong(metrics.valueCount());
            out.writeLong(metrics.nullCount());
            writeBound(metrics.lower(), out);
            writeBound(metrics.upper(), out);
        }
        writeBytes(summary.tokenFilter().map(TokenFilter::toBytes).orElse(NO_FILTER), out);
        writeLength(summary.distinct().size(), out);
        for (Map.Entry<Integer, DistinctSketch> column : summary.distinct().entrySet()) {
            out.writeInt(column.getKey());
            ByteBuffer sketch = ByteBuffer.allocate(DistinctSketch.SIZE);
            column.getValue().write(sketch);
            out.write(sketch.array());
        }
    }

    private static LogBlockSummary readSummary(DataInputView in) throws IOException {
        long sizeInBytes = in.readLong();
        long rowCount = in.readLong();
        long indexBytes = in.readLong();
        TimeRange time = new TimeRange(in.readLong(), in.readLong());
        int splits = readLength(in);
        List<Long> splitOffsets = new ArrayList<>(splits);
        for (int i = 0; i < splits; i++) {
            splitOffsets.add(in.readLong());
        }
        int count = readLength(in);
        Map<Integer, ColumnMetrics> columns = HashMap.newHashMap(count);
        for (int i = 0; i < count; i++) {
            columns.put(
                    in.readInt(),
                    new ColumnMetrics(in.readLong(), in.readLong(), in.readLong(), readBound(in), readBound(in)));
        }
        Optional<TokenFilter> filter = TokenFilter.parse(ByteBuffer.wrap(readBytes(in)));
        Map<Integer, DistinctSketch> distinct = readSketches(in);
        return new LogBlockSummary(sizeInBytes, rowCount, indexBytes, time, splitOffsets, columns, distinct, filter);
    }

    private static Map<Integer, DistinctSketch> readSketches(DataInputView in) throws IOException {
        int count = readLength(in);
        Map<Integer, DistinctSketch> sketches = HashMap.newHashMap(count);
        for (int i = 0; i < count; i++) {
            int fieldId = in.readInt();
            byte[] sketch = new byte[DistinctSketch.SIZE];
            in.readFully(sketch);
            sketches.put(fieldId, DistinctSketch.read(ByteBuffer.wrap(sketch)));
        }
        return sketches;
    }

    private static void writeBound(Optional<Object> bound, DataOutputView out) throws IOException {
        switch (bound.orElse(null)) {
            case null -> out.writeByte(ABSENT);
            case Long value -> {
                out.writeByte(LONG);
                out.writeLong(value);
            }
            case Double value -> {
                out.writeByte(DOUBLE);
                out.writeDouble(value);
            }
            case Boolean value -> {
                out.writeByte(BOOLEAN);
                out.writeBoolean(value);
            }
            case String value -> {
                out.writeByte(TEXT);
                writeText(value, out);
            }
            case Object other -> throw new IOException("A bound cannot be a " + other.getClass());
        }
    }

    private static Optional<Object> readBound(DataInputView in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case ABSENT -> Optional.empty();
            case LONG -> Optional.of(in.readLong());
            case DOUBLE -> Optional.of(in.readDouble());
            case BOOLEAN -> Optional.of(in.readBoolean());
            case TEXT -> Optional.of(readText(in));
            default -> throw new IOException("A bound cannot be of kind " + kind);
        };
    }
}
