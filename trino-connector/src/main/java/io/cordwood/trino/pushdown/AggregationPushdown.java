package io.cordwood.trino.pushdown;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.ScanPlanner;
import io.cordwood.query.plan.ScanSize;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import io.cordwood.trino.config.CordwoodSessionProperties;
import io.cordwood.trino.handle.ComputedColumnHandle;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.handle.CordwoodTableHandle.Groups;
import io.cordwood.trino.handle.TableColumnHandle;
import io.cordwood.trino.statistics.ColumnStatisticsReader;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.AggregationApplicationResult;
import io.trino.spi.connector.Assignment;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Variable;
import io.trino.spi.statistics.ColumnStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pushes down {@code count(*)} by a keyword column, or its distinct values, if a scan reads few rows with few values:
 * one split counts them by dictionary id, which leaves nothing for the engine to hash, exchange and sort. The engine
 * counts larger scans itself, on all threads. An instance belongs to one transaction; thread-safe.
 */
public final class AggregationPushdown {
    /** The maximum number of LogBlocks, because one split opens them one after another. */
    private static final int MAX_LOGBLOCKS = 4;
    /** The maximum number of rows: counting them takes one thread a few milliseconds. */
    private static final long MAX_ROWS = 1_000_000;
    /** The maximum number of rows if a condition may need evaluation row by row: as many as one split reads anyway. */
    private static final long MAX_CONDITIONAL_ROWS = ScanPlanner.MIN_PART_ROWS;
    /** The maximum number of values: hashing more is faster on all threads. */
    private static final double MAX_VALUES = 10_000;
    /** The maximum number of hot offsets: as many as one split reads anyway, however many rows their records hold. */
    private static final long MAX_HOT_OFFSETS = ScanPlanner.MIN_PART_OFFSETS;

    private final QuerySnapshot version;
    private final ScanPlanner planner;
    private final ColumnStatisticsReader statistics;
    /** Cached decisions by scan, because the engine asks several times. */
    private final Map<CordwoodTableHandle, Boolean> small = new ConcurrentHashMap<>();

    public AggregationPushdown(QuerySnapshot version, ScanPlanner planner, ColumnStatisticsReader statistics) {
        this.version = version;
        this.planner = planner;
        this.statistics = statistics;
    }

    /** Pushes the grouping into the scan, if that is faster. */
    public Optional<AggregationApplicationResult<ConnectorTableHandle>> apply(
            ConnectorSession session,
            CordwoodTableHandle table,
            List<AggregateFunction> aggregates,
            List<List<ColumnHandle>> groupingSets) {
        Optional<TableColumnHandle> by = keywordColumn(groupingSets);
        if (by.isEmpty()
                || !aggregates.stream().allMatch(AggregationPushdown::countsRows)
                || table.limit().isPresent()
                || table.topN().isPresent()
                || table.groups().isPresent()) {
            return Optional.empty();
        }
        CordwoodTableHandle grouped = table.withGroups(Groups.of(by.get()));
        if (!small.computeIfAbsent(grouped, any -> isSmall(session, table, by.get()))) {
            return Optional.empty();
        }
        CordwoodColumnHandle count = ComputedColumnHandle.GROUP_COUNT;
        ConnectorExpression counted = new Variable(count.name(), count.type());
        return Optional.of(new AggregationApplicationResult<>(
                grouped,
                aggregates.stream().map(any -> counted).toList(),
                aggregates.isEmpty() ? List.of() : List.of(new Assignment(count.name(), count, count.type())),
                Map.of(),
                true));
    }

    private static Optional<TableColumnHandle> keywordColumn(List<List<ColumnHandle>> groupingSets) {
        if (groupingSets.size() != 1 || groupingSets.getFirst().size() != 1) {
            return Optional.empty();
        }
        return groupingSets.getFirst().getFirst() instanceof TableColumnHandle handle
                        && handle.column().source() == QueryColumn.Source.STORED
                        && handle.column().index() == IndexKind.KEYWORD
                        && handle.column().type() == ColumnType.VARCHAR
                ? Optional.of(handle)
                : Optional.empty();
    }

    private static boolean countsRows(AggregateFunction aggregate) {
        return aggregate.getFunctionName().equals("count")
                && aggregate.getArguments().isEmpty()
                && !aggregate.isDistinct()
                && aggregate.getFilter().isEmpty();
    }

    private boolean isSmall(ConnectorSession session, CordwoodTableHandle table, TableColumnHandle by) {
        // The log ends are read here already, so the pointers of all tables of the query must have been read before
        if (table.tenantId().isEmpty() || !version.refersToOneTable()) {
            return false;
        }
        ScanFilter filter = ScanFilters.of(table, CordwoodSessionProperties.useStatistics(session));
        return version.table(table.tenantId().get(), table.stream())
                .filter(of -> hasFewValues(of, by)
                        && readsFewRows(of, filter, table.conjuncts().isEmpty() ? MAX_ROWS : MAX_CONDITIONAL_ROWS)
                        && (!CordwoodSessionProperties.readsHotTier(session)
                                || planner.hotOffsets(version, of, filter) <= MAX_HOT_OFFSETS))
                .isPresent();
    }

    private boolean hasFewValues(TableVersion table, TableColumnHandle column) {
        OptionalLong rows = table.rowCount();
        if (rows.isEmpty() || rows.getAsLong() == 0) {
            return rows.isPresent();
        }
        return Optional.ofNullable(statistics.read(table, rows.getAsLong()).get(column))
                .map(ColumnStatistics::getDistinctValuesCount)
                .filter(values -> !values.isUnknown() && values.getValue() <= MAX_VALUES)
                .isPresent();
    }

    private boolean readsFewRows(TableVersion table, ScanFilter filter, long mostRows) {
        ScanSize size = planner.size(table, filter);
        return size.logBlocks() <= MAX_LOGBLOCKS && size.rows() <= mostRows;
    }
}
