package io.cordwood.trino;

import io.cordwood.logblock.LogBlockSchema;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SortItem;
import io.trino.spi.connector.TopNApplicationResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes over {@code ORDER BY ts ... LIMIT n} as far as a split can answer it: each gives its own first or last n rows by
 * time, and the engine picks among them. Stateless.
 *
 * <p>Where the query orders by more than {@code ts}, a split gives all rows of the time of its n-th row too, so that the
 * engine finds the right ones among equals whatever the further order is.
 */
final class TopNPushdown {
    private TopNPushdown() {}

    static Optional<TopNApplicationResult<ConnectorTableHandle>> apply(
            CordwoodTableHandle table, long count, List<SortItem> items, Map<String, ColumnHandle> assignments) {
        SortItem first = items.getFirst();
        CordwoodColumnHandle column = (CordwoodColumnHandle) assignments.get(first.getName());
        if (!column.name().equals(LogBlockSchema.TS) || table.limit().isPresent()) {
            return Optional.empty();
        }
        CordwoodTableHandle.TopN topN =
                new CordwoodTableHandle.TopN(count, !first.getSortOrder().isAscending(), items.size() > 1, false);
        if (table.topN().isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new TopNApplicationResult<>(table.withTopN(topN), false, false));
    }
}
