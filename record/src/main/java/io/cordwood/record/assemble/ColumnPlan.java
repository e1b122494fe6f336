package io.cordwood.record.assemble;

import io.cordwood.logblock.parquet.ParquetSchema;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.buffer.ColumnNames;
import io.cordwood.record.buffer.ValueKind;
import io.cordwood.record.policy.TextColumns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Finds the columns that rows need and their table lacks. For a single use; not thread-safe. */
final class ColumnPlan {
    private final TextColumns textColumns;
    private final int maxFields;
    private final Map<String, ColumnType> types = new HashMap<>();
    /** Case-folded names as in files: engines that ignore case must not find a name twice. */
    private final Set<String> fileNames = new HashSet<>();

    private final List<NewColumn> added = new ArrayList<>();
    private int fields;

    ColumnPlan(LogBlockSchema table, TextColumns textColumns, int maxFields) {
        this.textColumns = textColumns;
        this.maxFields = maxFields;
        for (Column column : table.columns()) {
            types.put(column.name(), column.type());
            fileNames.add(fileName(column.name()));
        }
        for (Column column : table.columns()) {
            if (!ColumnNames.isReserved(column.name()) && !isTwin(column.name())) {
                fields++;
            }
        }
    }

    /** Whether a column of this name would be the twin of a bigint column. */
    private boolean isTwin(String name) {
        return ColumnNames.isTwinName(name) && types.get(ColumnNames.twinOf(name)) == ColumnType.BIGINT;
    }

    List<NewColumn> columns() {
        return added;
    }

    /** Whether the table takes no further columns for members. */
    boolean isFull() {
        return fields >= maxFields;
    }

    /** Accounts for a value of a member, after all earlier values. */
    void add(String name, ValueKind kind) {
        ColumnType type = types.get(name);
        if (type == null) {
            addField(name, kind);
        } else if (type == ColumnType.BIGINT && kind.exceedsBigint()) {
            String twin = ColumnNames.doubleTwin(name);
            if (!ColumnNames.isReserved(name) && types.putIfAbsent(twin, ColumnType.DOUBLE) == null) {
                added.add(NewColumn.twinOf(name));
            }
        }
    }

    private void addField(String name, ValueKind kind) {
        if (isFull() || kind == ValueKind.NON_FINITE || ColumnNames.isReserved(name) || isTwin(name)) {
            return;
        }
        ColumnType type = switch (kind) {
            case TEXT, JSON -> ColumnType.VARCHAR;
            case INTEGER -> integerType(name);
            case FRACTION, BIG_INTEGER -> ColumnType.DOUBLE;
            case BOOLEAN -> ColumnType.BOOLEAN;
            case NON_FINITE -> throw new AssertionError("a non-finite number determines no type");
        };
        if (!fileNames.add(fileName(name))) {
            return;
        }
        types.put(name, type);
        fields++;
        IndexKind index = type == ColumnType.VARCHAR ? textColumns.indexKind(name) : IndexKind.NONE;
        added.add(new NewColumn(name, type, index, false));
    }

    private static String fileName(String name) {
        return ParquetSchema.name(name).toLowerCase(Locale.ROOT);
    }

    /** Bigint, unless a double column with the twin's name exists: it would then be taken for the twin. */
    private ColumnType integerType(String name) {
        return types.get(ColumnNames.doubleTwin(name)) == ColumnType.DOUBLE ? ColumnType.DOUBLE : ColumnType.BIGINT;
    }
}
