package io.cordwood.ingest.commit;

import io.cordwood.ingest.serial.VersionedSerializer;
import io.cordwood.ingest.source.LogPartitionSerializer;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link Acknowledgement}s. */
public final class AcknowledgementSerializer extends VersionedSerializer<Acknowledgement> {
    private static final long serialVersionUID = 1;

    public AcknowledgementSerializer() {
        super(1);
    }

    @Override
    protected void write(Acknowledgement value, DataOutputView out) throws IOException {
        LogPartitionSerializer.INSTANCE.serialize(value.partition(), out);
        out.writeLong(value.number());
    }

    @Override
    protected Acknowledgement read(DataInputView in) throws IOException {
        return new Acknowledgement(LogPartitionSerializer.INSTANCE.deserialize(in), in.readLong());
    }
}
