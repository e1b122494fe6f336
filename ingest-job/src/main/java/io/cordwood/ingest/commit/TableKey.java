package io.cordwood.ingest.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.ingest.serial.VersionedTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * The identity of a table. Immutable.
 *
 * @param tenantId the tenant
 * @param stream the stream
 */
public record TableKey(String tenantId, String stream) {
    public static final TypeInformation<TableKey> TYPE =
            new VersionedTypeInfo<>(TableKey.class, new TableKeySerializer());

    public TableKey {
        requireNonNull(tenantId, "tenantId is null");
        requireNonNull(stream, "stream is null");
    }

    @Override
    public String toString() {
        return "stream '%s' of tenant '%s'".formatted(stream, tenantId);
    }
}
