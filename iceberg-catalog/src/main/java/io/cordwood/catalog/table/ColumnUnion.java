package io.cordwood.catalog.table;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The columns that at least one of several tables has. Not thread-safe.
 *
 * <p>Columns of the same name are one. Bigint and double together are double; other differing types are varchar.
 */
public final class ColumnUnion {
    /** Most columns of a union: those that the most tables have. */
    public static final int MAX_COLUMNS = 500;

    private static final Set<ColumnType> NUMBERS = EnumSet.of(ColumnType.BIGINT, ColumnType.DOUBLE);

    private final Map<String, Seen> byName = new HashMap<>();

    /** The observed columns of a name. */
    private static final class Seen {
        private final String name;
        private final Set<ColumnType> types = EnumSet.noneOf(ColumnType.class);
        private final Set<IndexKind> indexes = EnumSet.noneOf(IndexKind.class);
        private long tables;

        Seen(String name) {
            this.name = name;
        }

        void add(StreamColumn column, long of) {
            types.add(column.type());
            indexes.add(column.index());
            tables += of;
        }

        StreamColumn column() {
            ColumnType type = type();
            return new StreamColumn(name, type, type == ColumnType.VARCHAR ? index() : IndexKind.NONE);
        }

        private ColumnType type() {
            if (types.size() == 1) {
                return types.iterator().next();
            }
            return NUMBERS.containsAll(types) ? ColumnType.DOUBLE : ColumnType.VARCHAR;
        }

        /** The text of a value of another type counts as a whole, as in a keyword column. */
        private IndexKind index() {
            if (indexes.equals(EnumSet.of(IndexKind.TEXT))) {
                return IndexKind.TEXT;
            }
            return indexes.contains(IndexKind.TEXT) ? IndexKind.NONE : IndexKind.KEYWORD;
        }
    }

    /**
     * Adds the columns of tables.
     *
     * @param columns columns of each of the tables, each name once
     * @param tables number of tables with exactly these columns
     */
    public void add(Collection<StreamColumn> columns, long tables) {
        columns.forEach(
                column -> byName.computeIfAbsent(column.name(), Seen::new).add(column, tables));
    }

    /**
     * The columns, ordered by name: at most {@value #MAX_COLUMNS}, those that the most tables have; of equally frequent
     * ones, the first by name.
     */
    public List<StreamColumn> columns() {
        List<Seen> all = new ArrayList<>(byName.values());
        all.sort(Comparator.comparingLong((Seen seen) -> seen.tables).reversed().thenComparing(seen -> seen.name));
        return all.stream()
                .limit(MAX_COLUMNS)
                .map(Seen::column)
                .sorted(Comparator.comparing(StreamColumn::name))
                .toList();
    }
}
