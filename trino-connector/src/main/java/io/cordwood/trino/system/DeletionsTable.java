package io.cordwood.trino.system;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;

import com.google.inject.Inject;
import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.query.snapshot.QueryCatalog;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.InMemoryRecordSet;
import io.trino.spi.connector.RecordCursor;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.DateTimeEncoding;
import io.trino.spi.type.TimeZoneKey;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The table {@code system.deletions}: deletions by predicate in the tenants that the user sees, and their progress.
 * Thread-safe.
 */
public final class DeletionsTable implements SystemTable {
    public static final String SCHEMA = "system";

    private static final ConnectorTableMetadata METADATA = new ConnectorTableMetadata(
            new SchemaTableName(SCHEMA, "deletions"),
            List.of(
                    new ColumnMetadata("id", VARCHAR),
                    new ColumnMetadata("tenant_id", VARCHAR),
                    new ColumnMetadata("stream", VARCHAR),
                    new ColumnMetadata("predicate", VARCHAR),
                    new ColumnMetadata("query_id", VARCHAR),
                    new ColumnMetadata("user", VARCHAR),
                    new ColumnMetadata("requested_at", TIMESTAMP_TZ_MILLIS),
                    new ColumnMetadata("rows", BIGINT),
                    new ColumnMetadata("logblocks", BIGINT),
                    new ColumnMetadata("snapshot_id", BIGINT),
                    new ColumnMetadata("status", VARCHAR),
                    new ColumnMetadata("gone_at", TIMESTAMP_TZ_MILLIS)));

    private final QueryCatalog catalog;

    @Inject
    DeletionsTable(QueryCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public Distribution getDistribution() {
        return Distribution.SINGLE_COORDINATOR;
    }

    @Override
    public ConnectorTableMetadata getTableMetadata() {
        return METADATA;
    }

    @Override
    public RecordCursor cursor(
            ConnectorTransactionHandle transaction, ConnectorSession session, TupleDomain<Integer> constraint) {
        AccessRules rules = catalog.accessRules();
        InMemoryRecordSet.Builder rows = InMemoryRecordSet.builder(METADATA);
        for (Deletion deletion : catalog.deletions()) {
            if (rules.sees(session.getUser(), deletion.tenantId())) {
                rows.addRow(
                        deletion.id(),
                        deletion.tenantId(),
                        deletion.stream(),
                        deletion.predicate(),
                        deletion.query(),
                        deletion.user(),
                        time(deletion.requestedAt()),
                        deletion.rows(),
                        (long) deletion.dataFiles().size(),
                        orNull(deletion.snapshotId()),
                        deletion.status().name().toLowerCase(Locale.ROOT),
                        deletion.goneAt().isPresent() ? time(deletion.goneAt().getAsLong()) : null);
            }
        }
        return rows.build().cursor();
    }

    private static Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }

    /** A time as columns of system tables have it. */
    static long time(long millis) {
        return DateTimeEncoding.packDateTimeWithZone(millis, TimeZoneKey.UTC_KEY);
    }
}
