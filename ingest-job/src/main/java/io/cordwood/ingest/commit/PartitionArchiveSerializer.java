package io.cordwood.ingest.commit;

import static io.cordwood.ingest.serial.Wire.readLength;
import static io.cordwood.ingest.serial.Wire.writeLength;

import io.cordwood.ingest.serial.VersionedSerializer;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.LogPartitionSerializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link PartitionArchive}s, at checkpoints only. Public for Flink, which creates it by name. */
public final class PartitionArchiveSerializer extends VersionedSerializer<PartitionArchive> {
    private static final long serialVersionUID = 1;

    private final ProgressSerializer progress = new ProgressSerializer();

    public PartitionArchiveSerializer() {
        super(1);
    }

    @Override
    protected void write(PartitionArchive value, DataOutputView out) throws IOException {
        LogPartitionSerializer.INSTANCE.serialize(value.partition(), out);
        out.writeLong(value.acknowledged());
        writeLength(value.acknowledgedEarly().size(), out);
        for (long number : value.acknowledgedEarly()) {
            out.writeLong(number);
        }
        writeLength(value.waiting().size(), out);
        for (Progress waiting : value.waiting()) {
            progress.serialize(waiting, out);
        }
        out.writeLong(value.archivedThrough());
        out.writeLong(value.oldestMicros());
        out.writeLong(value.waitingSinceMicros());
    }

    @Override
    protected PartitionArchive read(DataInputView in) throws IOException {
        LogPartition partition = LogPartitionSerializer.INSTANCE.deserialize(in);
        long acknowledged = in.readLong();
        int early = readLength(in);
        List<Long> acknowledgedEarly = new ArrayList<>(early);
        for (int i = 0; i < early; i++) {
            acknowledgedEarly.add(in.readLong());
        }
        int count = readLength(in);
        List<Progress> waiting = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            waiting.add(progress.deserialize(in));
        }
        long archivedThrough = in.readLong();
        long oldestMicros = in.readLong();
        long waitingSinceMicros = in.readLong();
        return new PartitionArchive(
                partition, acknowledged, acknowledgedEarly, waiting, archivedThrough, oldestMicros, waitingSinceMicros);
    }
}
