package io.cordwood.ingest.builder;

import static io.cordwood.ingest.serial.Wire.readText;
import static io.cordwood.ingest.serial.Wire.writeText;

import io.cordwood.ingest.serial.VersionedSerializer;
import io.cordwood.ingest.source.KafkaRecordWire;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.LogPartitionSerializer;
import io.cordwood.record.KafkaRecord;
import java.io.IOException;
import java.util.OptionalInt;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link DeadLetter}s. */
public final class DeadLetterSerializer extends VersionedSerializer<DeadLetter> {
    private static final long serialVersionUID = 1;
    private static final int NO_LINE = 0;

    public DeadLetterSerializer() {
        super(3);
    }

    @Override
    protected void write(DeadLetter value, DataOutputView out) throws IOException {
        LogPartitionSerializer.INSTANCE.serialize(value.partition(), out);
        KafkaRecordWire.write(value.record(), out);
        out.writeInt(value.line().orElse(NO_LINE));
        writeText(value.reason(), out);
        writeText(value.message(), out);
    }

    @Override
    protected DeadLetter read(DataInputView in) throws IOException {
        LogPartition partition = LogPartitionSerializer.INSTANCE.deserialize(in);
        KafkaRecord record = KafkaRecordWire.read(in);
        int line = in.readInt();
        return new DeadLetter(
                partition,
                record,
                line == NO_LINE ? OptionalInt.empty() : OptionalInt.of(line),
                readText(in),
                readText(in));
    }
}
