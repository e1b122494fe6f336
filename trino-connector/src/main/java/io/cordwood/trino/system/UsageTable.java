package io.cordwood.trino.system;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;

import com.google.common.collect.Iterables;
import com.google.common.collect.Sets;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.usage.Usage;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.trino.error.QueryErrors;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.InMemoryRecordSet;
import io.trino.spi.connector.RecordCursor;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.DateTimeEncoding;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The table {@code system.usage}: hourly usage of the tenants that the user sees. Conditions on tenant and hour narrow
 * the request to the catalog service; the engine checks them again. Thread-safe.
 */
public final class UsageTable implements SystemTable {
    private static final int TENANT_ID = 0;
    private static final int HOUR = 2;
    private static final int MAX_TENANTS = 1000;
    private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

    private static final ConnectorTableMetadata METADATA = new ConnectorTableMetadata(
            new SchemaTableName(DeletionsTable.SCHEMA, "usage"),
            List.of(
                    new ColumnMetadata("tenant_id", VARCHAR),
                    new ColumnMetadata("stream", VARCHAR),
                    new ColumnMetadata("hour", TIMESTAMP_TZ_MILLIS),
                    new ColumnMetadata("rows", BIGINT),
                    new ColumnMetadata("raw_bytes", BIGINT),
                    new ColumnMetadata("stored_bytes", BIGINT),
                    new ColumnMetadata("scanned_bytes", BIGINT)));

    private final QueryCatalog catalog;

    @Inject
    UsageTable(QueryCatalog catalog) {
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
        Iterable<Usage> seen = Iterables.filter(
                usage(filter(constraint), rules, session.getUser()),
                usage -> rules.sees(session.getUser(), usage.tenantId()));
        return new InMemoryRecordSet(
                        METADATA.getColumns().stream()
                                .map(ColumnMetadata::getType)
                                .toList(),
                        Iterables.transform(seen, UsageTable::row))
                .cursor();
    }

    /** Requests only the usage that the user may see. */
    private Iterable<Usage> usage(UsageFilter filter, AccessRules rules, String user) {
        if (rules.isOperator(user)) {
            return QueryErrors.translating(catalog.usage(filter));
        }
        Set<String> tenants = filter.tenantIds().isEmpty()
                ? rules.granted(user)
                : Sets.intersection(filter.tenantIds(), rules.granted(user));
        // An empty filter would mean all tenants.
        return tenants.isEmpty()
                ? List.of()
                : QueryErrors.translating(catalog.usage(new UsageFilter(filter.fromHour(), filter.toHour(), tenants)));
    }

    private static List<Object> row(Usage usage) {
        return List.of(
                usage.tenantId(),
                usage.stream(),
                DeletionsTable.time(usage.hour() * HOUR_MILLIS),
                usage.ingested().rows(),
                usage.ingested().rawBytes(),
                usage.ingested().storedBytes(),
                usage.scannedBytes());
    }

    static UsageFilter filter(TupleDomain<Integer> constraint) {
        if (constraint.isNone()) {
            return new UsageFilter(0, 0, Set.of());
        }
        Map<Integer, Domain> domains = constraint.getDomains().orElseThrow();
        long from = UsageFilter.ALL.fromHour();
        long to = UsageFilter.ALL.toHour();
        Domain hour = domains.getOrDefault(HOUR, Domain.all(TIMESTAMP_TZ_MILLIS));
        if (!hour.getValues().isNone() && !hour.getValues().isAll()) {
            Range span = hour.getValues().getRanges().getSpan();
            from = span.getLowValue().map(UsageTable::hour).orElse(from);
            to = span.getHighValue().map(high -> hour(high) + 1).orElse(to);
        }
        return new UsageFilter(from, to, tenantIds(domains.getOrDefault(TENANT_ID, Domain.all(VARCHAR))));
    }

    private static long hour(Object packed) {
        return Math.floorDiv(DateTimeEncoding.unpackMillisUtc((long) packed), HOUR_MILLIS);
    }

    private static Set<String> tenantIds(Domain tenants) {
        if (!tenants.getValues().isDiscreteSet()
                || tenants.getValues().getDiscreteSet().size() > MAX_TENANTS) {
            return UsageFilter.ALL.tenantIds();
        }
        return tenants.getValues().getDiscreteSet().stream()
                .map(tenant -> ((Slice) tenant).toStringUtf8())
                .collect(Collectors.toUnmodifiableSet());
    }
}
