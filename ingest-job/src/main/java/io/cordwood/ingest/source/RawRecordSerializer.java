package io.cordwood.ingest.source;

import static io.cordwood.ingest.serial.Wire.readText;
import static io.cordwood.ingest.serial.Wire.writeText;

import io.cordwood.ingest.serial.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link RawRecord}s. */
public final class RawRecordSerializer extends VersionedSerializer<RawRecord> {
    public static final RawRecordSerializer INSTANCE = new RawRecordSerializer();
    private static final long serialVersionUID = 1;

    public RawRecordSerializer() {
        super(1);
    }

    @Override
    protected void write(RawRecord value, DataOutputView out) throws IOException {
        writeText(value.kafka().stream(), out);
        writeText(value.topicId(), out);
        out.writeInt(value.kafka().partition());
        KafkaRecordWire.write(value.kafka(), out);
    }

    @Override
    protected RawRecord read(int writtenVersion, DataInputView in) throws IOException {
        String stream = readText(in);
        String topicId = readText(in);
        return new RawRecord(topicId, KafkaRecordWire.read(stream, in.readInt(), in));
    }
}
