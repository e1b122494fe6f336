package io.cordwood.query.table;

import com.google.common.base.Splitter;
import io.cordwood.catalog.table.StreamColumn;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The schema {@code all_tenants}: each stream once over all tenants, with its declared columns or, if none are
 * declared, all columns that at least one tenant has ({@link io.cordwood.catalog.table.ColumnUnion}). Immutable.
 */
public final class AllTenants {
    public static final String SCHEMA = "all_tenants";

    private static final Set<String> FIXED =
            Set.of(LogBlockSchema.TENANT_ID, LogBlockSchema.TS, LogBlockSchema.ATTRIBUTES);

    private final Map<String, Map<String, ColumnType>> declared;

    private AllTenants(Map<String, Map<String, ColumnType>> declared) {
        this.declared = declared;
    }

    /**
     * Creates the schema with declared columns.
     *
     * @param text {@code stream=name:type,name:type;stream=...}
     * @throws QueryException INVALID_CONFIGURATION if the text is malformed
     */
    public static AllTenants withColumns(String text) {
        Map<String, Map<String, ColumnType>> streams = new TreeMap<>();
        for (String stream : Splitter.on(';').trimResults().omitEmptyStrings().split(text)) {
            int equals = stream.indexOf('=');
            if (equals < 1) {
                throw invalid(stream);
            }
            Map<String, ColumnType> columns = new LinkedHashMap<>();
            for (String column :
                    Splitter.on(',').trimResults().omitEmptyStrings().split(stream.substring(equals + 1))) {
                int colon = column.lastIndexOf(':');
                if (colon < 1) {
                    throw invalid(column);
                }
                columns.put(
                        column.substring(0, colon).toLowerCase(Locale.ROOT), type(column.substring(colon + 1), column));
            }
            streams.put(stream.substring(0, equals).trim(), columns);
        }
        return new AllTenants(streams);
    }

    private static ColumnType type(String name, String column) {
        try {
            return ColumnType.valueOf(name.trim().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw invalid(column);
        }
    }

    private static QueryException invalid(String part) {
        return new QueryException(
                QueryError.INVALID_CONFIGURATION,
                "'%s' is not of the form stream=name:type,name:type with types varchar, bigint, double, boolean, timestamp"
                        .formatted(part));
    }

    /**
     * The columns of a stream, by name, in the order {@code SELECT *} shows them.
     *
     * @param ofTables finds the columns of the tenants' tables; not called for declared columns
     */
    public Map<String, QueryColumn> columns(String stream, Supplier<List<StreamColumn>> ofTables) {
        Map<String, QueryColumn> columns = new LinkedHashMap<>();
        columns.put(LogBlockSchema.TENANT_ID, QueryColumn.TENANT_ID);
        columns.put(LogBlockSchema.TS, QueryColumn.TS);
        if (declared.containsKey(stream)) {
            // Each table decides how match reads a declared column
            declared.get(stream).forEach((name, type) -> add(columns, name, type, IndexKind.NONE));
        } else {
            ofTables.get().forEach(column -> add(columns, column.name(), column.type(), column.index()));
        }
        columns.put(LogBlockSchema.ATTRIBUTES, QueryColumn.OVERFLOW);
        TableColumns.addHidden(columns);
        return columns;
    }

    private static void add(Map<String, QueryColumn> columns, String name, ColumnType type, IndexKind index) {
        if (!FIXED.contains(name)) {
            columns.put(name, QueryColumn.stored(name, type, index));
        }
    }

    /** The columns of a table that {@code attributes} shows as text besides the table's own {@code attributes}. */
    public static List<Column> overflowColumns(TableVersion table, Map<String, QueryColumn> columns) {
        List<Column> others = new ArrayList<>();
        for (QueryColumn own : table.columns().columns().values()) {
            QueryColumn shown = columns.get(own.name());
            boolean isShown = FIXED.contains(own.name())
                    || (shown != null && canShow(table.columns().sources(own.name()), shown.type()));
            if (!own.isHidden() && !isShown) {
                table.columns().sources(own.name()).forEach(source -> others.add(named(own.name(), source)));
            }
        }
        return others;
    }

    /** The column under its SQL name: a twin has the name of its bigint column. */
    private static Column named(String name, Column column) {
        return new Column(
                name,
                column.fieldId(),
                column.type(),
                column.index(),
                column.required(),
                column.keyFieldId(),
                column.valueFieldId());
    }

    /** Whether the values of the stored columns can be shown as values of the type. */
    public static boolean canShow(List<Column> sources, ColumnType type) {
        return sources.stream()
                .allMatch(source -> source.type() == type
                        || (type == ColumnType.VARCHAR && source.type() != ColumnType.MAP)
                        || (type == ColumnType.DOUBLE && source.type() == ColumnType.BIGINT));
    }
}
