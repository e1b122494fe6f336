package io.cordwood.trino.handle;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.cordwood.query.plan.TopN;
import io.cordwood.query.predicate.SerializedPredicate;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.predicate.TupleDomain;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A scan: a table and the operations pushed into it. Immutable.
 *
 * @param name schema and table
 * @param tenantId the tenant; empty for a table of {@code all_tenants}
 * @param viewer for a table of {@code all_tenants} the user, whose tenants' columns it shows; otherwise empty
 * @param domain domains of the columns, fully enforced
 * @param conjuncts further conditions, fully enforced
 * @param limit number of rows of each split that suffice
 * @param topN the rows of each split that suffice
 * @param groups the groups to return instead of the rows
 */
public record CordwoodTableHandle(
        SchemaTableName name,
        Optional<String> tenantId,
        Optional<String> viewer,
        TupleDomain<ColumnHandle> domain,
        List<SerializedPredicate> conjuncts,
        OptionalLong limit,
        Optional<TopN> topN,
        Optional<Groups> groups)
        implements ConnectorTableHandle {
    /**
     * The distinct values of a column with their row counts. The scan as a whole returns them, from one split.
     *
     * @param by a keyword column
     * @param first number of requested groups, if they are ordered
     * @param order keys of the order; empty if all groups are requested
     */
    public record Groups(TableColumnHandle by, long first, List<GroupOrder> order) {
        public Groups {
            requireNonNull(by, "by is null");
            order = List.copyOf(order);
        }

        public static Groups of(TableColumnHandle column) {
            return new Groups(column, Long.MAX_VALUE, List.of());
        }

        /** Whether a column of the scan is the count of a group; otherwise it is the group's value. */
        public boolean isCount(CordwoodColumnHandle column) {
            if (column.equals(ComputedColumnHandle.GROUP_COUNT)) {
                return true;
            }
            if (column.equals(by)) {
                return false;
            }
            throw new IllegalArgumentException("Groups by %s have no column %s".formatted(by, column));
        }
    }

    /**
     * A key of the order of groups.
     *
     * @param byCount whether the key is the row count; otherwise it is the value
     * @param direction the sort direction
     */
    public record GroupOrder(boolean byCount, SortOrder direction) {
        public GroupOrder {
            requireNonNull(direction, "direction is null");
        }
    }

    public CordwoodTableHandle {
        requireNonNull(name, "name is null");
        requireNonNull(tenantId, "tenantId is null");
        requireNonNull(viewer, "viewer is null");
        requireNonNull(domain, "domain is null");
        conjuncts = List.copyOf(conjuncts);
        requireNonNull(limit, "limit is null");
        requireNonNull(topN, "topN is null");
        requireNonNull(groups, "groups is null");
    }

    /** A tenant's table. */
    public static CordwoodTableHandle of(SchemaTableName name, String tenantId) {
        return of(name, Optional.of(tenantId), Optional.empty());
    }

    /** A table of {@code all_tenants} with the columns of the tenants that a user sees. */
    public static CordwoodTableHandle ofAllTenants(SchemaTableName name, String viewer) {
        return of(name, Optional.empty(), Optional.of(viewer));
    }

    private static CordwoodTableHandle of(SchemaTableName name, Optional<String> tenantId, Optional<String> viewer) {
        return new CordwoodTableHandle(
                name,
                tenantId,
                viewer,
                TupleDomain.all(),
                List.of(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty());
    }

    public String stream() {
        return name.getTableName();
    }

    public CordwoodTableHandle withFilter(TupleDomain<ColumnHandle> newDomain, List<SerializedPredicate> newConjuncts) {
        return new CordwoodTableHandle(name, tenantId, viewer, newDomain, newConjuncts, limit, topN, groups);
    }

    public CordwoodTableHandle withLimit(long newLimit) {
        return new CordwoodTableHandle(
                name, tenantId, viewer, domain, conjuncts, OptionalLong.of(newLimit), topN, groups);
    }

    public CordwoodTableHandle withTopN(TopN newTopN) {
        return new CordwoodTableHandle(name, tenantId, viewer, domain, conjuncts, limit, Optional.of(newTopN), groups);
    }

    public CordwoodTableHandle withGroups(Groups newGroups) {
        return new CordwoodTableHandle(name, tenantId, viewer, domain, conjuncts, limit, topN, Optional.of(newGroups));
    }

    /** The scan of the rows without grouping. */
    public CordwoodTableHandle withoutGroups() {
        return new CordwoodTableHandle(name, tenantId, viewer, domain, conjuncts, limit, topN, Optional.empty());
    }

    /** Whether the scan as a whole selects or groups its rows, so that no condition may be pushed below that step. */
    @JsonIgnore
    public boolean isCombined() {
        return groups.isPresent() || (topN.isPresent() && topN.get().exact());
    }

    /** The text in {@code EXPLAIN}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name.toString());
        if (!domain.isAll()) {
            text.append(" domain=").append(domain);
        }
        conjuncts.forEach(conjunct -> text.append(" filter=").append(conjunct));
        limit.ifPresent(rows -> text.append(" limit=").append(rows));
        topN.ifPresent(top -> text.append(" topN=").append(top));
        groups.ifPresent(group -> text.append(" groups=").append(group));
        return text.toString();
    }
}
