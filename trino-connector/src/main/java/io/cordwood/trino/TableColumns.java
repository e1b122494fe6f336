package io.cordwood.trino;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.VarcharType.VARCHAR;

import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.trino.spi.type.MapType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The columns that SQL shows of one table, and the stored columns behind each. Immutable.
 *
 * <p>A bigint column with a twin {@code <name>.double} is one double column; {@code _kafka_topic_id}, {@code
 * _kafka_partition}, {@code _kafka_offset} and {@code _kafka_ordinal} are hidden columns that begin with {@code $}.
 */
final class TableColumns {
    /** Type of {@code attributes}. */
    static final MapType ATTRIBUTES_TYPE = new MapType(VARCHAR, VARCHAR, new TypeOperators());

    private static final Set<String> KAFKA_COLUMNS = Set.of(
            LogBlockSchema.KAFKA_TOPIC_ID,
            LogBlockSchema.KAFKA_PARTITION,
            LogBlockSchema.KAFKA_OFFSET,
            LogBlockSchema.KAFKA_ORDINAL);

    private final LogBlockSchema schema;
    private final Map<String, CordwoodColumnHandle> handles;
    private final Map<String, List<Column>> sources;

    private TableColumns(
            LogBlockSchema schema, Map<String, CordwoodColumnHandle> handles, Map<String, List<Column>> sources) {
        this.schema = schema;
        this.handles = handles;
        this.sources = sources;
    }

    static TableColumns of(LogBlockSchema schema) {
        Map<String, CordwoodColumnHandle> handles = new LinkedHashMap<>();
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
                handles.put(name, CordwoodColumnHandle.TENANT_ID);
            } else {
                Type type = twin.isPresent() ? DOUBLE : type(column.type());
                handles.put(name, CordwoodColumnHandle.stored(name, type, column.index()));
            }
            List<Column> stored = new ArrayList<>(List.of(column));
            twin.ifPresent(stored::add);
            sources.put(name, List.copyOf(stored));
        }
        addHidden(handles);
        schema.column(LogBlockSchema.KAFKA_TOPIC_ID)
                .ifPresent(column -> sources.put(CordwoodColumnHandle.TOPIC_ID_NAME, List.of(column)));
        schema.column(LogBlockSchema.KAFKA_PARTITION)
                .ifPresent(column -> sources.put(CordwoodColumnHandle.PARTITION_NAME, List.of(column)));
        schema.column(LogBlockSchema.KAFKA_OFFSET)
                .ifPresent(column -> sources.put(CordwoodColumnHandle.OFFSET_NAME, List.of(column)));
        schema.column(LogBlockSchema.KAFKA_ORDINAL)
                .ifPresent(column -> sources.put(CordwoodColumnHandle.ORDINAL_NAME, List.of(column)));
        return new TableColumns(schema, handles, sources);
    }

    static void addHidden(Map<String, CordwoodColumnHandle> handles) {
        for (CordwoodColumnHandle hidden : List.of(
                CordwoodColumnHandle.PATH,
                CordwoodColumnHandle.TIER,
                CordwoodColumnHandle.TOPIC_ID,
                CordwoodColumnHandle.PARTITION,
                CordwoodColumnHandle.OFFSET,
                CordwoodColumnHandle.ORDINAL)) {
            handles.put(hidden.name(), hidden);
        }
    }

    private static Optional<Column> twin(LogBlockSchema schema, Column column) {
        return column.type() == ColumnType.BIGINT
                ? schema.column(column.name() + TableSchemas.TWIN_SUFFIX)
                        .filter(twin -> twin.type() == ColumnType.DOUBLE)
                : Optional.empty();
    }

    /** The SQL type of values of this type. */
    static Type type(ColumnType type) {
        return switch (type) {
            case VARCHAR -> VARCHAR;
            case BIGINT -> BIGINT;
            case DOUBLE -> DOUBLE;
            case BOOLEAN -> BOOLEAN;
            case TIMESTAMP -> TIMESTAMP_TZ_MICROS;
            case MAP -> ATTRIBUTES_TYPE;
        };
    }

    /** The stored type whose values SQL shows as this type. */
    static ColumnType columnType(Type type) {
        for (ColumnType candidate : ColumnType.values()) {
            if (type(candidate).equals(type)) {
                return candidate;
            }
        }
        throw new IllegalArgumentException("Not the type of a column: " + type.getDisplayName());
    }

    /** Columns by name, in the order {@code SELECT *} shows them, hidden ones last. */
    Map<String, CordwoodColumnHandle> handles() {
        return handles;
    }

    /** The stored columns whose values make up this column: none if the table lacks it, two for a double twin. */
    List<Column> sources(String name) {
        return sources.getOrDefault(name, List.of());
    }

    /** The stored columns of rows themselves, without identity and order: what SQL shows in some way. */
    List<Column> shown() {
        return sources.entrySet().stream()
                .filter(entry -> !entry.getKey().startsWith("$"))
                .flatMap(entry -> entry.getValue().stream())
                .toList();
    }

    LogBlockSchema schema() {
        return schema;
    }
}
