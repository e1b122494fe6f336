package io.cordwood.trino.handle;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.cordwood.query.delete.ReadVersion;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import java.util.Optional;

/**
 * A deletion in progress. Immutable.
 *
 * @param table the table to delete rows from
 * @param version the snapshot to read; empty if the table has no LogBlock, so there is nothing to delete
 * @param requestedAt time of the request, in milliseconds since 1970
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
