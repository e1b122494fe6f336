package io.cordwood.trino;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

import io.airlift.slice.Slices;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.TimeRange;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * The conditions of a scan in the connector's terms. Immutable.
 *
 * @param domain what the columns are limited to
 * @param time the span of times asked for
 * @param conjuncts all conditions that the span of times does not say, on SQL columns
 * @param useStatistics whether files are pruned by their bounds
 */
record ScanFilter(TupleDomain<ColumnHandle> domain, TimeRange time, List<Predicate> conjuncts, boolean useStatistics) {
    ScanFilter {
        conjuncts = List.copyOf(conjuncts);
    }

    /** All that was pushed into a scan. */
    static ScanFilter of(CordwoodTableHandle table, boolean useStatistics) {
        ScanFilter filter = of(table.domain(), useStatistics);
        List<Predicate> conjuncts = new ArrayList<>(filter.conjuncts());
        table.conjuncts().forEach(conjunct -> conjuncts.add(PredicateJson.decode(conjunct)));
        return new ScanFilter(filter.domain(), filter.time(), conjuncts, useStatistics);
    }

    static ScanFilter of(TupleDomain<ColumnHandle> domain, boolean useStatistics) {
        return new ScanFilter(
                domain, DomainPredicates.timeRange(domain), DomainPredicates.predicates(domain), useStatistics);
    }

    /** The same conditions, on rows of these times alone. */
    ScanFilter within(TimeRange part) {
        return new ScanFilter(
                domain,
                new TimeRange(
                        Math.max(time.fromMicros(), part.fromMicros()), Math.min(time.toMicros(), part.toMicros())),
                conjuncts,
                useStatistics);
    }

    /** These conditions and what else is known of the rows wanted. */
    ScanFilter and(TupleDomain<ColumnHandle> learnt) {
        if (learnt.isAll()) {
            return this;
        }
        ScanFilter other = of(learnt, useStatistics);
        List<Predicate> all = new ArrayList<>(conjuncts);
        all.addAll(other.conjuncts());
        return new ScanFilter(domain.intersect(learnt), time, all, useStatistics).within(other.time());
    }

    /** Whether no row can match. */
    boolean isNone() {
        return domain.isNone() || time.isEmpty();
    }

    boolean admitsTenant(String tenantId) {
        return admits(CordwoodColumnHandle.TENANT_ID, tenantId);
    }

    boolean admitsTier(String tier) {
        return admits(CordwoodColumnHandle.TIER, tier);
    }

    boolean admitsPartition(int partition) {
        return admits(CordwoodColumnHandle.PARTITION, BIGINT, (long) partition);
    }

    boolean admitsPath(String path) {
        return admits(CordwoodColumnHandle.PATH, path);
    }

    private boolean admits(CordwoodColumnHandle column, String value) {
        return admits(column, VARCHAR, Slices.utf8Slice(value));
    }

    private boolean admits(CordwoodColumnHandle column, Type type, Object value) {
        if (domain.isNone()) {
            return false;
        }
        Domain values = domain.getDomains().orElseThrow().getOrDefault(column, Domain.all(type));
        return values.includesNullableValue(value);
    }
}
