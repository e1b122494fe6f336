package io.cordwood.ingest.build;

import static io.cordwood.ingest.serial.Wire.readText;
import static io.cordwood.ingest.serial.Wire.writeText;

import io.cordwood.ingest.serial.VersionedSerializer;
import io.cordwood.ingest.source.RawRecordSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link DeadLetter}s. Not thread-safe: Flink {@link #duplicate duplicates} it for each thread. */
public final class DeadLetterSerializer extends VersionedSerializer<DeadLetter> {
    private static final long serialVersionUID = 1;

    private final RawRecordSerializer raw = new RawRecordSerializer();

    public DeadLetterSerializer() {
        super(1);
    }

    @Override
    public TypeSerializer<DeadLetter> duplicate() {
        return new DeadLetterSerializer();
    }

    @Override
    protected void write(DeadLetter value, DataOutputView out) throws IOException {
        raw.serialize(value.raw(), out);
        writeText(value.reason(), out);
        writeText(value.message(), out);
    }

    @Override
    protected DeadLetter read(int writtenVersion, DataInputView in) throws IOException {
        return new DeadLetter(raw.deserialize(in), readText(in), readText(in));
    }
}
