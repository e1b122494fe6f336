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
 * A scan: a table and what has been pushed into it. Immutable.
 *
 * @param name schema and table
 * @param tenantId the tenant; empty for a table of {@code all_tenants}
 * @param viewer of a table of {@code all_tenants} the user whose tenants have the columns that it shows, else empty
 * @param domain what the columns are limited to, wholly enforced
 * @param conjuncts further conditions, wholly enforced
 * @param limit how many rows of each split suffice
 * @param topN which rows of each split suffice
 * @param groups what is given instead of the rows
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
     * The values of a column, each once, with how many rows have it: the scan as a whole gives them, from one split.
     *
     * @param by a keyword column
     * @param first how many of them are wanted, if they are ordered
     * @param order what they are ordered by; nothing if all are wanted
     */
    public record Groups(TableColumnHandle by, long first, List<GroupOrder> order) {
        public Groups {
            requireNonNull(by, "by is null");
            order = List.copyOf(order);
        }

        public static Groups of(TableColumnHandle column) {
            return new Groups(column, Long.MAX_VALUE, List.of());
        }

        /** Whether a column of the scan is the count of a group; else it is its value. */
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
     * A key that groups are ordered by.
     *
     * @param byCount whether by how many rows they have, or by their value
     * @param direction which come first
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

    /** The scan of the rows that are grouped. */
    public CordwoodTableHandle withoutGroups() {
        return new CordwoodTableHandle(name, tenantId, viewer, domain, conjuncts, limit, topN, Optional.empty());
    }

    /** Whether the scan as a whole chooses or groups its rows, so that no condition may be pushed below that. */
    @JsonIgnore
    public boolean isGathered() {
        return groups.isPresent() || (topN.isPresent() && topN.get().exact());
    }

    /** What {@code EXPLAIN} shows. */
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
