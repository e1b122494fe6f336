package io.cordwood.trino.handle;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.cordwood.query.delete.ReadVersion;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import java.util.Optional;

/**
 * A deletion under way. Immutable.
 *
 * @param table whose rows are deleted
 * @param version what is read of it; empty if it has no LogBlock, so that there is nothing to delete
 * @param requestedAt when it was asked for, in milliseconds since 1970
 */
public record CordwoodMergeHandle(
        @JsonProperty("table") CordwoodTableHandle table,
        @JsonProperty("version") Optional<ReadVersion> version,
        @JsonProperty("requestedAt") long requestedAt)
        implements ConnectorMergeTableHandle {
    public CordwoodMergeHandle {
        requireNonNull(table, "table is null");
        requireNonNull(version, "version is null");
    }

    @Override
    @JsonIgnore
    public ConnectorTableHandle getTableHandle() {
        return table;
    }
}
