package io.cordwood.trino;

import static io.trino.spi.StandardErrorCode.INVALID_CATALOG_PROPERTY;

import com.google.common.base.Splitter;
import com.google.inject.Inject;
import io.cordwood.catalog.table.StreamColumn;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.trino.spi.TrinoException;
import io.trino.spi.type.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The schema {@code all_tenants}: each stream once over all tenants, with the columns that are declared for it, or where
 * none are, each that at least one tenant has ({@link io.cordwood.catalog.table.ColumnUnion}). Immutable.
 */
final class AllTenants {
    static final String SCHEMA = "all_tenants";

    private static final Set<String> FIXED =
            Set.of(LogBlockSchema.TENANT_ID, LogBlockSchema.TS, LogBlockSchema.ATTRIBUTES);

    private final Map<String, Map<String, Type>> declared;

    @Inject
    AllTenants(CordwoodConfig config) {
        declared = parse(config.getColumns());
    }

    /** Parses {@code stream=name:type,name:type;stream=...}. */
    private static Map<String, Map<String, Type>> parse(String text) {
        Map<String, Map<String, Type>> streams = new TreeMap<>();
        for (String stream : Splitter.on(';').trimResults().omitEmptyStrings().split(text)) {
            int equals = stream.indexOf('=');
            if (equals < 1) {
                throw invalid(stream);
            }
            Map<String, Type> columns = new LinkedHashMap<>();
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
        return streams;
    }

    private static Type type(String name, String column) {
        try {
            return TableColumns.type(ColumnType.valueOf(name.trim().toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            throw invalid(column);
        }
    }

    private static TrinoException invalid(String part) {
        return new TrinoException(
                INVALID_CATALOG_PROPERTY,
                "cordwood.columns: '%s' is not of the form stream=name:type,name:type with types varchar, bigint, double, boolean, timestamp"
                        .formatted(part));
    }

    /**
     * The columns of a stream, by name, in the order {@code SELECT *} shows them.
     *
     * @param ofTables finds the columns that the tenants' tables have; not called where columns are declared
     */
    Map<String, CordwoodColumnHandle> columns(String stream, Supplier<List<StreamColumn>> ofTables) {
        Map<String, CordwoodColumnHandle> columns = new LinkedHashMap<>();
        columns.put(LogBlockSchema.TENANT_ID, CordwoodColumnHandle.TENANT_ID);
        columns.put(
                LogBlockSchema.TS,
                CordwoodColumnHandle.stored(
                        LogBlockSchema.TS, TableColumns.type(ColumnType.TIMESTAMP), IndexKind.NONE));
        if (declared.containsKey(stream)) {
            // How match reads a declared column is for each table to say
            declared.get(stream).forEach((name, type) -> add(columns, name, type, IndexKind.NONE));
        } else {
            ofTables.get()
                    .forEach(column -> add(columns, column.name(), TableColumns.type(column.type()), column.index()));
        }
        columns.put(LogBlockSchema.ATTRIBUTES, CordwoodColumnHandle.otherColumns(TableColumns.ATTRIBUTES_TYPE));
        TableColumns.addHidden(columns);
        return columns;
    }

    private static void add(Map<String, CordwoodColumnHandle> columns, String name, Type type, IndexKind index) {
        if (!FIXED.contains(name)) {
            columns.put(name, CordwoodColumnHandle.stored(name, type, index));
        }
    }

    /** The columns of a table that {@code attributes} shows as text besides the table's own {@code attributes}. */
    static List<Column> otherColumns(TableVersion table, Map<String, CordwoodColumnHandle> columns) {
        List<Column> others = new ArrayList<>();
        for (CordwoodColumnHandle own : table.columns().handles().values()) {
            CordwoodColumnHandle shown = columns.get(own.name());
            boolean isShown = FIXED.contains(own.name())
                    || (shown != null && canShow(table.columns().sources(own.name()), shown.type()));
            if (!own.isHidden() && !isShown) {
                table.columns().sources(own.name()).forEach(source -> others.add(named(own.name(), source)));
            }
        }
        return others;
    }

    /** The column under the name that SQL shows: a twin bears that of its bigint column. */
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
    static boolean canShow(List<Column> sources, Type type) {
        return sources.stream().allMatch(source -> {
            ColumnType wanted = TableColumns.columnType(type);
            return source.type() == wanted
                    || (wanted == ColumnType.VARCHAR && source.type() != ColumnType.MAP)
                    || (wanted == ColumnType.DOUBLE && source.type() == ColumnType.BIGINT);
        });
    }
}
