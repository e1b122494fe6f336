package io.cordwood.query.table;

import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The SQL columns of one table, and the stored columns of each. Immutable.
 *
 * <p>A bigint column with a twin {@code <name>.double} is one double column; {@code _kafka_topic_id}, {@code
 * _kafka_partition}, {@code _kafka_offset} and {@code _kafka_ordinal} are hidden columns whose names begin with {@code
 * $}.
 */
public final class TableColumns {
    private static final Set<String> KAFKA_COLUMNS = Set.of(
            LogBlockSchema.KAFKA_TOPIC_ID,
            LogBlockSchema.KAFKA_PARTITION,
            LogBlockSchema.KAFKA_OFFSET,
            LogBlockSchema.KAFKA_ORDINAL);

    private final LogBlockSchema schema;
    private final Map<String, QueryColumn> columns;
    private final Map<String, List<Column>> sources;

    private TableColumns(LogBlockSchema schema, Map<String, QueryColumn> columns, Map<String, List<Column>> sources) {
        this.schema = schema;
        this.columns = columns;
        this.sources = sources;
    }

    static TableColumns of(LogBlockSchema schema) {
        Map<String, QueryColumn> columns = new LinkedHashMap<>();
        Map<String, List<Column>> sources = new LinkedHashMap<>();
        Set<String> twins = new HashSet<>();
        for (Column column : schema.columns()) {
            twin(schema, column).ifPresent(twin -> twins.add(twin.name()));
        }
        for (Column column : schema.columns()) {
            String name = column.name();
            if (KAFKA_COLUMNS.contains(name) || twins.contains(name)) {
                continue;
            }
            Optional<Column> twin = twin(schema, column);
            if (name.equals(LogBlockSchema.TENANT_ID)) {
                columns.put(name, QueryColumn.TENANT_ID);
            } else {
                ColumnType type = twin.isPresent() ? ColumnType.DOUBLE : column.type();
                columns.put(name, QueryColumn.stored(name, type, column.index()));
            }
            List<Column> stored = new ArrayList<>(List.of(column));
            twin.ifPresent(stored::add);
            sources.put(name, List.copyOf(stored));
        }
        addHidden(columns);
        schema.column(LogBlockSchema.KAFKA_TOPIC_ID)
                .ifPresent(column -> sources.put(QueryColumn.TOPIC_ID_NAME, List.of(column)));
        schema.column(LogBlockSchema.KAFKA_PARTITION)
                .ifPresent(column -> sources.put(QueryColumn.PARTITION_NAME, List.of(column)));
        schema.column(LogBlockSchema.KAFKA_OFFSET)
                .ifPresent(column -> sources.put(QueryColumn.OFFSET_NAME, List.of(column)));
        schema.column(LogBlockSchema.KAFKA_ORDINAL)
                .ifPresent(column -> sources.put(QueryColumn.ORDINAL_NAME, List.of(column)));
        return new TableColumns(schema, columns, sources);
    }

    static void addHidden(Map<String, QueryColumn> columns) {
        for (QueryColumn hidden : List.of(
                QueryColumn.PATH,
                QueryColumn.TIER,
                QueryColumn.TOPIC_ID,
                QueryColumn.PARTITION,
                QueryColumn.OFFSET,
                QueryColumn.ORDINAL)) {
            columns.put(hidden.name(), hidden);
        }
    }

    private static Optional<Column> twin(LogBlockSchema schema, Column column) {
        return column.type() == ColumnType.BIGINT
                ? schema.column(column.name() + TableSchemas.TWIN_SUFFIX)
                        .filter(twin -> twin.type() == ColumnType.DOUBLE)
                : Optional.empty();
    }

    /** Columns by name, in the order {@code SELECT *} shows them, hidden ones last. */
    public Map<String, QueryColumn> columns() {
        return columns;
    }

    /** The stored columns of an SQL column: none if the table lacks it, two for a double twin. */
    public List<Column> sources(String name) {
        return sources.getOrDefault(name, List.of());
    }

    /** The stored columns that SQL shows in some form: all but those of identity and order. */
    List<Column> shown() {
        return sources.entrySet().stream()
                .filter(entry -> !entry.getKey().startsWith("$"))
                .flatMap(entry -> entry.getValue().stream())
                .toList();
    }

    public LogBlockSchema schema() {
        return schema;
    }
}
