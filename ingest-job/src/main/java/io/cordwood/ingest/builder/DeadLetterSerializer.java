package io.cordwood.ingest.builder;

import static io.cordwood.ingest.serial.Wire.readText;
import static io.cordwood.ingest.serial.Wire.writeText;

import io.cordwood.ingest.serial.VersionedSerializer;
import io.cordwood.ingest.source.KafkaRecordWire;
import io.cordwood.ingest.source.LogPartitionSerializer;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link DeadLetter}s. */
public final class DeadLetterSerializer extends VersionedSerializer<DeadLetter> {
    private static final long serialVersionUID = 1;

    public DeadLetterSerializer() {
        super(2);
    }

    @Override
    protected void write(DeadLetter value, DataOutputView out) throws IOException {
        LogPartitionSerializer.INSTANCE.serialize(value.partition(), out);
        KafkaRecordWire.write(value.record(), out);
        writeText(value.reason(), out);
        writeText(value.message(), out);
    }

    @Override
    protected DeadLetter read(DataInputView in) throws IOException {
        return new DeadLetter(
                LogPartitionSerializer.INSTANCE.deserialize(in), KafkaRecordWire.read(in), readText(in), readText(in));
    }
}
