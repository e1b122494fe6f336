package io.cordwood.trino.system;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;

import com.google.inject.Inject;
import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.json.Json;
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
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table {@code system.alerts}: alert rules of the tenants that the user sees, and their states. Thread-safe. */
public final class AlertsTable implements SystemTable {
    private static final ConnectorTableMetadata METADATA = new ConnectorTableMetadata(
            new SchemaTableName(DeletionsTable.SCHEMA, "alerts"),
            List.of(
                    new ColumnMetadata("tenant_id", VARCHAR),
                    new ColumnMetadata("stream", VARCHAR),
                    new ColumnMetadata("name", VARCHAR),
                    new ColumnMetadata("query", VARCHAR),
                    new ColumnMetadata("condition", VARCHAR),
                    new ColumnMetadata("window_seconds", BIGINT),
                    new ColumnMetadata("every_seconds", BIGINT),
                    new ColumnMetadata("for_seconds", BIGINT),
                    new ColumnMetadata("state", VARCHAR),
                    new ColumnMetadata("since", TIMESTAMP_TZ_MILLIS),
                    new ColumnMetadata("value", BIGINT),
                    new ColumnMetadata("evaluated_at", TIMESTAMP_TZ_MILLIS),
                    new ColumnMetadata("error", VARCHAR)));

    private final QueryCatalog catalog;

    @Inject
    AlertsTable(QueryCatalog catalog) {
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
        for (Alert alert : catalog.alerts()) {
            if (rules.sees(session.getUser(), alert.rule().tenantId())) {
                add(rows, alert.rule(), alert.status());
            }
        }
        return rows.build().cursor();
    }

    private static void add(InMemoryRecordSet.Builder rows, AlertRule rule, AlertStatus status) {
        rows.addRow(
                rule.tenantId(),
                rule.stream(),
                rule.name(),
                rule.query(),
                "%s %d".formatted(rule.comparison().symbol(), rule.threshold()),
                rule.window().toSeconds(),
                rule.every().toSeconds(),
                rule.holdFor().toSeconds(),
                Json.lowerCase(status.state()),
                time(status.since()),
                status.value().isPresent() ? status.value().getAsLong() : null,
                time(status.evaluated()),
                status.error().orElse(null));
    }

    private static Long time(Optional<Instant> time) {
        return time.map(at -> DeletionsTable.time(at.toEpochMilli())).orElse(null);
    }
}
