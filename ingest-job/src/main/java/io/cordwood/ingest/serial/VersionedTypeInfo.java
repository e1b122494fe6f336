package io.cordwood.ingest.serial;

import static java.util.Objects.requireNonNull;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Type information of a type with a {@link VersionedSerializer}: keeps Kryo out of the job. Immutable.
 *
 * @param <T> type of the values
 */
public final class VersionedTypeInfo<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1;

    private final Class<T> type;
    private final VersionedSerializer<T> serializer;

    public VersionedTypeInfo(Class<T> type, VersionedSerializer<T> serializer) {
        this.type = requireNonNull(type, "type is null");
        this.serializer = requireNonNull(serializer, "serializer is null");
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return serializer.duplicate();
    }

    @Override
    public Class<T> getTypeClass() {
        return type;
    }

    @Override
    public boolean isKeyType() {
        return true;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof VersionedTypeInfo;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VersionedTypeInfo<?> that && that.type == type && that.serializer.equals(serializer);
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }
}
