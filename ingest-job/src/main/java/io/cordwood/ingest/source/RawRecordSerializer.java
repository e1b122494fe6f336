package io.cordwood.ingest.source;

import static io.cordwood.ingest.serial.Wire.readText;
import static io.cordwood.ingest.serial.Wire.writeText;

import io.cordwood.ingest.serial.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link RawRecord}s, which travel between tasks and are never part of a checkpoint. */
public final class RawRecordSerializer extends VersionedSerializer<RawRecord> {
    public static final RawRecordSerializer INSTANCE = new RawRecordSerializer();
    private static final long serialVersionUID = 1;
    private static final int VERSION = 2;

    public RawRecordSerializer() {
        super(VERSION, VERSION);
    }

    @Override
    protected void write(RawRecord value, DataOutputView out) throws IOException {
        writeText(value.kafka().stream(), out);
        writeText(value.topicId(), out);
        out.writeInt(value.kafka().partition());
        out.writeInt(value.leaderEpoch());
        KafkaRecordWire.write(value.kafka(), out);
    }

    @Override
    protected RawRecord read(int writtenVersion, DataInputView in) throws IOException {
        String stream = readText(in);
        String topicId = readText(in);
        int partition = in.readInt();
        int leaderEpoch = in.readInt();
        return new RawRecord(topicId, leaderEpoch, KafkaRecordWire.read(stream, partition, in));
    }
}
