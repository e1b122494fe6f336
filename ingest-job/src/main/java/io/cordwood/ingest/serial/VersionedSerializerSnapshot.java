package io.cordwood.ingest.serial;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The checkpointed form of a {@link VersionedSerializer}: its class. The values carry the versions.
 *
 * @param <T> type of the values
 */
public final class VersionedSerializerSnapshot<T> implements TypeSerializerSnapshot<T> {
    private static final int VERSION = 1;

    private VersionedSerializer<T> serializer;

    /** For Flink, which fills it by {@link #readSnapshot}. */
    public VersionedSerializerSnapshot() {}

    VersionedSerializerSnapshot(VersionedSerializer<T> serializer) {
        this.serializer = serializer;
    }

    @Override
    public int getCurrentVersion() {
        return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
        out.writeUTF(serializer.getClass().getName());
    }

    @Override
    @SuppressWarnings("unchecked") // the class was written by writeSnapshot of the same T
    public void readSnapshot(int readVersion, DataInputView in, ClassLoader classLoader) throws IOException {
        String name = in.readUTF();
        try {
            serializer = (VersionedSerializer<T>) Class.forName(name, true, classLoader)
                    .asSubclass(VersionedSerializer.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IOException(
                    "The checkpoint was written with serializer %s, which this program lacks".formatted(name), e);
        }
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
        return serializer;
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(TypeSerializerSnapshot<T> old) {
        boolean same = old instanceof VersionedSerializerSnapshot<T> that
                && that.serializer.getClass() == serializer.getClass();
        return same
                ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                : TypeSerializerSchemaCompatibility.incompatible();
    }
}
