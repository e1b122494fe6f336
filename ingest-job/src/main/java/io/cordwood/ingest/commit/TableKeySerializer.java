package io.cordwood.ingest.commit;

import static io.cordwood.ingest.serial.Wire.readText;
import static io.cordwood.ingest.serial.Wire.writeText;

import io.cordwood.ingest.serial.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes {@link TableKey}s. */
public final class TableKeySerializer extends VersionedSerializer<TableKey> {
    private static final long serialVersionUID = 1;

    public TableKeySerializer() {
        super(1);
    }

    @Override
    protected void write(TableKey value, DataOutputView out) throws IOException {
        writeText(value.tenantId(), out);
        writeText(value.stream(), out);
    }

    @Override
    protected TableKey read(DataInputView in) throws IOException {
        return new TableKey(readText(in), readText(in));
    }
}
