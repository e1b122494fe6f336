package io.cordwood.trino;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.TupleDomain;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A scan: a table and what has been pushed into it. Immutable.
 *
 * @param name schema and table
 * @param tenantId the tenant; empty for a table of {@code all_tenants}
 * @param domain what the columns are limited to, wholly enforced
 * @param conjuncts further conditions, encoded by {@link PredicateJson}, wholly enforced
 * @param limit how many rows of each split suffice
 * @param topN which rows of each split suffice
 */
public record CordwoodTableHandle(
        SchemaTableName name,
        Optional<String> tenantId,
        TupleDomain<ColumnHandle> domain,
        List<String> conjuncts,
        OptionalLong limit,
        Optional<TopN> topN)
        implements ConnectorTableHandle {
    /**
     * The first or last rows by {@code ts}.
     *
     * @param count how many
     * @param newest whether the last ones
     * @param withTies whether rows of the same time as the last of them are wanted too
     * @param exact whether the scan as a whole gives these rows and no others, from one split; else each split gives its
     *     own, and the engine picks among them
     */
    public record TopN(long count, boolean newest, boolean withTies, boolean exact) {}

    public CordwoodTableHandle {
        requireNonNull(name, "name is null");
        requireNonNull(tenantId, "tenantId is null");
        requireNonNull(domain, "domain is null");
        conjuncts = List.copyOf(conjuncts);
        requireNonNull(limit, "limit is null");
        requireNonNull(topN, "topN is null");
    }

    static CordwoodTableHandle of(SchemaTableName name, Optional<String> tenantId) {
        return new CordwoodTableHandle(
                name, tenantId, TupleDomain.all(), List.of(), OptionalLong.empty(), Optional.empty());
    }

    String stream() {
        return name.getTableName();
    }

    CordwoodTableHandle withFilter(TupleDomain<ColumnHandle> newDomain, List<String> newConjuncts) {
        return new CordwoodTableHandle(name, tenantId, newDomain, newConjuncts, limit, topN);
    }

    CordwoodTableHandle withLimit(long newLimit) {
        return new CordwoodTableHandle(name, tenantId, domain, conjuncts, OptionalLong.of(newLimit), topN);
    }

    CordwoodTableHandle withTopN(TopN newTopN) {
        return new CordwoodTableHandle(name, tenantId, domain, conjuncts, limit, Optional.of(newTopN));
    }

    /** Whether rows have been chosen already, so that no condition may be pushed below the choice. */
    @JsonIgnore
    boolean isExact() {
        return topN.isPresent() && topN.get().exact();
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
        return text.toString();
    }
}
