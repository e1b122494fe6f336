package io.cordwood.ingest.serial;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A serializer of an immutable type that starts every value with a version byte. Stateless, hence thread-safe.
 *
 * <p>The version travels with each value, not with the snapshot of the serializer, so that a program refuses values of
 * another version one by one. A subclass is public, has a public constructor without arguments, and keeps no state.
 *
 * @param <T> an immutable type
 */
public abstract class VersionedSerializer<T> extends TypeSerializer<T> {
    private static final long serialVersionUID = 1;

    private final byte version;

    /** @param version the version that is written, and the only one that is read */
    protected VersionedSerializer(int version) {
        this.version = (byte) version;
    }

    /** Writes a value, without its version. */
    protected abstract void write(T value, DataOutputView out) throws IOException;

    /** Reads a value, whose version was read before. */
    protected abstract T read(DataInputView in) throws IOException;

    @Override
    public final void serialize(T value, DataOutputView out) throws IOException {
        out.writeByte(version);
        write(value, out);
    }

    @Override
    public final T deserialize(DataInputView in) throws IOException {
        int written = in.readByte();
        if (written != version) {
            throw new IOException("%s has version %d, but this program reads version %d; use the program that wrote it"
                    .formatted(getClass().getSimpleName(), written, version));
        }
        return read(in);
    }

    @Override
    public final T deserialize(T reuse, DataInputView in) throws IOException {
        return deserialize(in);
    }

    @Override
    public final void copy(DataInputView in, DataOutputView out) throws IOException {
        serialize(deserialize(in), out);
    }

    @Override
    public final T copy(T from) {
        return from;
    }

    @Override
    public final T copy(T from, T reuse) {
        return from;
    }

    @Override
    public final boolean isImmutableType() {
        return true;
    }

    @Override
    public final TypeSerializer<T> duplicate() {
        return this;
    }

    /** Flink allows {@code null} here for types without a reusable instance. */
    @Override
    public final T createInstance() {
        return null;
    }

    @Override
    public final int getLength() {
        return -1;
    }

    @Override
    public final TypeSerializerSnapshot<T> snapshotConfiguration() {
        return new VersionedSerializerSnapshot<>(this);
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof VersionedSerializer<?> that && that.getClass() == getClass();
    }

    @Override
    public final int hashCode() {
        return getClass().hashCode();
    }
}
