package io.cordwood.trino.pushdown;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;
import java.util.ArrayList;
import java.util.List;

/** Makes the conditions of scans out of what the engine pushes down. Stateless. */
public final class ScanFilters {
    private ScanFilters() {}

    /** All that was pushed into a scan. */
    public static ScanFilter of(CordwoodTableHandle table, boolean useStatistics) {
        List<Predicate> conjuncts = new ArrayList<>(DomainPredicates.predicates(table.domain()));
        table.conjuncts().forEach(conjunct -> conjuncts.add(conjunct.predicate()));
        return new ScanFilter(DomainPredicates.timeRange(table.domain()), conjuncts, useStatistics);
    }

    /** What a join has learnt of the rows of a scan, as far as it can be used; no row if the two exclude each other. */
    public static ScanFilter learnt(CordwoodTableHandle table, TupleDomain<ColumnHandle> learnt) {
        if (learnt.isAll()) {
            return ScanFilter.ANY;
        }
        TupleDomain<ColumnHandle> supported = DomainPredicates.supported(learnt);
        if (table.domain().intersect(supported).isNone()) {
            supported = TupleDomain.none();
        }
        return new ScanFilter(DomainPredicates.timeRange(supported), DomainPredicates.predicates(supported), true);
    }
}
