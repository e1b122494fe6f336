package io.cordwood.trino.pushdown;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;
import java.util.ArrayList;
import java.util.List;

/** Builds the filters of scans from pushed-down conditions. Stateless. */
public final class ScanFilters {
    private ScanFilters() {}

    /** The filter of all conditions pushed into a scan. */
    public static ScanFilter of(CordwoodTableHandle table, boolean useStatistics) {
        List<Predicate> conjuncts = new ArrayList<>(DomainPredicates.predicates(table.domain()));
        table.conjuncts().forEach(conjunct -> conjuncts.add(conjunct.predicate()));
        return new ScanFilter(DomainPredicates.timeRange(table.domain()), conjuncts, useStatistics);
    }

    /** The usable part of a join's dynamic filter; it admits no row if it contradicts the scan's conditions. */
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
