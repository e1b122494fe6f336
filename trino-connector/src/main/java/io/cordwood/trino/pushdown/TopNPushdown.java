package io.cordwood.trino.pushdown;

import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.query.plan.TopN;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.handle.CordwoodTableHandle.GroupOrder;
import io.cordwood.trino.handle.CordwoodTableHandle.Groups;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SortItem;
import io.trino.spi.connector.TopNApplicationResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pushes {@code ORDER BY ts ... LIMIT n} into the splits of a scan: each returns its own first or last n rows by time,
 * and the engine chooses among them. Stateless.
 *
 * <p>If the query orders by more than {@code ts}, a split also returns all rows with the time of its n-th row, so that
 * the engine finds the right ones among equals, whatever the further order is.
 *
 * <p>A scan of groups has one split, which returns the first groups in any requested order.
 */
public final class TopNPushdown {
    /**
     * The maximum number of ordered groups: they fit into one page, whose rows stay in order whatever the engine does
     * with pages.
     */
    private static final int MAX_ORDERED_GROUPS = 200;

    private TopNPushdown() {}

    public static Optional<TopNApplicationResult<ConnectorTableHandle>> apply(
            CordwoodTableHandle table, long count, List<SortItem> items, Map<String, ColumnHandle> assignments) {
        if (table.groups().isPresent()) {
            return ofGroups(table, table.groups().get(), count, items, assignments);
        }
        SortItem first = items.getFirst();
        CordwoodColumnHandle column = (CordwoodColumnHandle) assignments.get(first.getName());
        if (!column.name().equals(LogBlockSchema.TS) || table.limit().isPresent()) {
            return Optional.empty();
        }
        TopN topN = new TopN(count, !first.getSortOrder().isAscending(), items.size() > 1, false);
        if (table.topN().isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new TopNApplicationResult<>(table.withTopN(topN), false, false));
    }

    private static Optional<TopNApplicationResult<ConnectorTableHandle>> ofGroups(
            CordwoodTableHandle table,
            Groups groups,
            long count,
            List<SortItem> items,
            Map<String, ColumnHandle> assignments) {
        if (!groups.order().isEmpty()) {
            return Optional.empty();
        }
        List<GroupOrder> order = items.stream()
                .map(item -> new GroupOrder(
                        groups.isCount((CordwoodColumnHandle) assignments.get(item.getName())), item.getSortOrder()))
                .toList();
        return Optional.of(new TopNApplicationResult<>(
                table.withGroups(new Groups(groups.by(), count, order)), count <= MAX_ORDERED_GROUPS, true));
    }
}
