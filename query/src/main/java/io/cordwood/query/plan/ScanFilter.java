package io.cordwood.query.plan;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.predicate.ConstantPredicate;
import io.cordwood.query.table.QueryColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * The conditions of a scan. Immutable.
 *
 * @param time the requested time range
 * @param conjuncts all conditions besides the time range, on SQL columns
 * @param useStatistics whether files are pruned by their bounds
 */
public record ScanFilter(TimeRange time, List<Predicate> conjuncts, boolean useStatistics) {
    /** A filter that admits every row. */
    public static final ScanFilter ANY = new ScanFilter(TimeRange.ALL, List.of(), true);

    public ScanFilter {
        conjuncts = List.copyOf(conjuncts);
    }

    /** This filter, limited to rows of these times. */
    public ScanFilter within(TimeRange part) {
        return new ScanFilter(
                new TimeRange(
                        Math.max(time.fromMicros(), part.fromMicros()), Math.min(time.toMicros(), part.toMicros())),
                conjuncts,
                useStatistics);
    }

    /** This filter and further conditions that were learnt about the requested rows. */
    public ScanFilter and(ScanFilter learnt) {
        if (learnt.conjuncts().isEmpty() && learnt.time().equals(TimeRange.ALL)) {
            return this;
        }
        List<Predicate> all = new ArrayList<>(conjuncts);
        all.addAll(learnt.conjuncts());
        return new ScanFilter(time, all, useStatistics).within(learnt.time());
    }

    /** Whether no row can match. */
    public boolean isNone() {
        return time.isEmpty() || conjuncts.contains(Predicate.FALSE);
    }

    public boolean admitsTenant(String tenantId) {
        return admits(QueryColumn.TENANT_ID, tenantId);
    }

    boolean admitsTier(String tier) {
        return admits(QueryColumn.TIER, tier);
    }

    boolean admitsPartition(int partition) {
        return admits(QueryColumn.PARTITION, (long) partition);
    }

    boolean admitsPath(String path) {
        return admits(QueryColumn.PATH, path);
    }

    /** Whether a row with this value in a column may match. */
    private boolean admits(QueryColumn column, Object value) {
        return !isNone()
                && conjuncts.stream().allMatch(term -> ConstantPredicate.mayBeTrue(term, column.name(), value));
    }
}
