package io.cordwood.catalog.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnNames;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * The mapping of a table's columns to its Iceberg schema and properties. Stateless, thread-safe.
 *
 * <p>Iceberg does not distinguish keyword and text columns, so the table property {@value #TEXT_COLUMNS_PROPERTY}, a
 * JSON array, has the names of the text columns.
 */
public final class TableSchemas {
    /** Name of the table property of the text columns. */
    public static final String TEXT_COLUMNS_PROPERTY = "cordwood.text-columns";

    /** Suffix of the name of a bigint column's twin: the double column for values that are not bigint. */
    public static final String TWIN_SUFFIX = ".double";

    private static final String DAY_OF_TS = "ts_day";

    private static final Set<String> BASE_COLUMNS =
            baseSchema().columns().stream().map(Types.NestedField::name).collect(Collectors.toUnmodifiableSet());

    private TableSchemas() {}

    /** The columns of every new table, with the field ids that Iceberg gives them. */
    public static Schema baseSchema() {
        return new Schema(
                Types.NestedField.required(1, LogBlockSchema.TENANT_ID, Types.StringType.get()),
                Types.NestedField.required(2, LogBlockSchema.TS, Types.TimestampType.withZone()),
                Types.NestedField.optional(
                        3,
                        LogBlockSchema.ATTRIBUTES,
                        Types.MapType.ofOptional(8, 9, Types.StringType.get(), Types.StringType.get())),
                Types.NestedField.required(4, LogBlockSchema.KAFKA_TOPIC_ID, Types.StringType.get()),
                Types.NestedField.required(5, LogBlockSchema.KAFKA_PARTITION, Types.LongType.get()),
                Types.NestedField.required(6, LogBlockSchema.KAFKA_OFFSET, Types.LongType.get()),
                Types.NestedField.required(7, LogBlockSchema.KAFKA_ORDINAL, Types.LongType.get()));
    }

    /** The partition spec of every table: one partition for each UTC day. */
    public static PartitionSpec daySpec(Schema schema) {
        return PartitionSpec.builderFor(schema)
                .day(LogBlockSchema.TS, DAY_OF_TS)
                .build();
    }

    /** Whether the spec has one partition for each UTC day and nothing else. */
    public static boolean isDaySpec(PartitionSpec spec) {
        if (spec.fields().size() != 1) {
            return false;
        }
        PartitionField field = spec.fields().getFirst();
        return field.transform().toString().equals("day")
                && LogBlockSchema.TS.equals(spec.schema().findColumnName(field.sourceId()));
    }

    /**
     * The columns that a LogBlock of this table has. Leaves out columns of types that no LogBlock has: only others add
     * them, and they are null in our files.
     *
     * @param properties the properties of the table
     * @throws IllegalArgumentException if a property is malformed
     */
    public static LogBlockSchema logBlockSchema(Schema schema, Map<String, String> properties) {
        Set<String> textColumns = textColumns(properties);
        List<Column> columns = new ArrayList<>();
        for (Types.NestedField field : schema.columns()) {
            columnType(field.type()).ifPresent(type -> columns.add(column(field, type, textColumns)));
        }
        return new LogBlockSchema(columns);
    }

    /**
     * The present and former columns of a table, by field id: files still have the dropped ones.
     *
     * @throws IllegalArgumentException if a property is malformed
     */
    public static Map<Integer, Column> everyColumn(TableMetadata table) {
        Set<String> textColumns = textColumns(table.properties());
        List<Schema> schemas = new ArrayList<>(table.schemas());
        // Last, as it is the most complete: types only become wider
        schemas.add(table.schema());
        Map<Integer, Column> columns = new HashMap<>();
        for (Schema schema : schemas) {
            for (Types.NestedField field : schema.columns()) {
                columnType(field.type())
                        .ifPresent(type -> columns.put(field.fieldId(), column(field, type, textColumns)));
            }
        }
        return columns;
    }

    private static Column column(Types.NestedField field, ColumnType type, Set<String> textColumns) {
        Column column;
        if (type == ColumnType.MAP) {
            Types.MapType map = field.type().asMapType();
            column = Column.map(field.name(), field.fieldId(), map.keyId(), map.valueId());
        } else if (type != ColumnType.VARCHAR || field.name().equals(LogBlockSchema.KAFKA_TOPIC_ID)) {
            column = Column.of(field.name(), field.fieldId(), type);
        } else if (textColumns.contains(field.name())) {
            column = Column.text(field.name(), field.fieldId());
        } else {
            column = Column.keyword(field.name(), field.fieldId());
        }
        return field.isRequired() ? column.asRequired() : column;
    }

    /**
     * Names of the text columns.
     *
     * @throws IllegalArgumentException if the property is malformed
     */
    public static Set<String> textColumns(Map<String, String> properties) {
        String json = properties.get(TEXT_COLUMNS_PROPERTY);
        Set<String> names = new TreeSet<>();
        if (json != null) {
            try {
                for (JsonNode name : Json.MAPPER.readTree(json)) {
                    names.add(name.asText());
                }
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException(
                        "Property %s is not a JSON array: %s".formatted(TEXT_COLUMNS_PROPERTY, json), e);
            }
        }
        return names;
    }

    /**
     * The columns of the table in SQL, without those that every table has; a bigint column with a twin is one double
     * column. Leaves out maps, and names that SQL cannot use.
     *
     * @param properties the properties of the table
     * @return ordered by name
     * @throws IllegalArgumentException if a property is malformed
     */
    public static List<StreamColumn> streamColumns(Schema schema, Map<String, String> properties) {
        Set<String> textColumns = textColumns(properties);
        Map<String, ColumnType> types = new TreeMap<>();
        for (Types.NestedField field : schema.columns()) {
            columnType(field.type())
                    .filter(type -> type != ColumnType.MAP && isShared(field.name()))
                    .ifPresent(type -> types.put(field.name(), type));
        }
        List<StreamColumn> columns = new ArrayList<>();
        types.forEach((name, type) -> {
            if (!isTwin(name, types)) {
                columns.add(
                        hasTwin(name, types)
                                ? new StreamColumn(name, ColumnType.DOUBLE, IndexKind.NONE)
                                : new StreamColumn(name, type, index(name, type, textColumns)));
            }
        });
        return columns;
    }

    private static boolean isShared(String name) {
        return !BASE_COLUMNS.contains(name) && !name.startsWith("$") && name.equals(name.toLowerCase(Locale.ROOT));
    }

    private static boolean hasTwin(String name, Map<String, ColumnType> types) {
        return types.get(name) == ColumnType.BIGINT && types.get(name + TWIN_SUFFIX) == ColumnType.DOUBLE;
    }

    private static boolean isTwin(String name, Map<String, ColumnType> types) {
        return name.endsWith(TWIN_SUFFIX) && hasTwin(name.substring(0, name.length() - TWIN_SUFFIX.length()), types);
    }

    private static IndexKind index(String name, ColumnType type, Set<String> textColumns) {
        if (type != ColumnType.VARCHAR) {
            return IndexKind.NONE;
        }
        return textColumns.contains(name) ? IndexKind.TEXT : IndexKind.KEYWORD;
    }

    /**
     * Names of columns in files without field ids: the table's name mapping, which programs set when they add foreign
     * files to a table.
     *
     * @param properties the properties of the table
     * @throws IllegalArgumentException if the mapping is malformed
     */
    public static ColumnNames columnNames(Map<String, String> properties) {
        String json = properties.get(TableProperties.DEFAULT_NAME_MAPPING);
        if (json == null) {
            return ColumnNames.NONE;
        }
        try {
            Map<String, Integer> fieldIds = new HashMap<>();
            for (MappedField field :
                    NameMappingParser.fromJson(json).asMappedFields().fields()) {
                field.names().forEach(name -> putNames(name, field, fieldIds));
            }
            return new ColumnNames(fieldIds);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "Property %s is not a name mapping: %s".formatted(TableProperties.DEFAULT_NAME_MAPPING, json), e);
        }
    }

    private static void putNames(String name, MappedField field, Map<String, Integer> fieldIds) {
        // A column without an id is not read
        if (field.id() != null) {
            fieldIds.put(name, field.id());
        }
        if (field.nestedMapping() != null) {
            for (MappedField nested : field.nestedMapping().fields()) {
                if (nested.id() != null) {
                    nested.names().forEach(part -> fieldIds.put(ColumnNames.nested(name, part), nested.id()));
                }
            }
        }
    }

    /** The value of the property {@value #TEXT_COLUMNS_PROPERTY} for these names. */
    public static String textColumnsProperty(Collection<String> names) {
        return Json.MAPPER.valueToTree(new TreeSet<>(names)).toString();
    }

    /** The Iceberg type of a column that is not a map. */
    public static Type icebergType(ColumnType type) {
        return switch (type) {
            case VARCHAR -> Types.StringType.get();
            case BIGINT -> Types.LongType.get();
            case DOUBLE -> Types.DoubleType.get();
            case BOOLEAN -> Types.BooleanType.get();
            case TIMESTAMP -> Types.TimestampType.withZone();
            case MAP -> throw new IllegalArgumentException("A map column needs field ids for its keys and values");
        };
    }

    /** The type in a LogBlock of this Iceberg type; empty if it has none. */
    public static Optional<ColumnType> columnType(Type type) {
        return switch (type.typeId()) {
            case STRING -> Optional.of(ColumnType.VARCHAR);
            case LONG -> Optional.of(ColumnType.BIGINT);
            case DOUBLE -> Optional.of(ColumnType.DOUBLE);
            case BOOLEAN -> Optional.of(ColumnType.BOOLEAN);
            case TIMESTAMP ->
                ((Types.TimestampType) type).shouldAdjustToUTC() ? Optional.of(ColumnType.TIMESTAMP) : Optional.empty();
            case MAP -> isTextMap(type.asMapType()) ? Optional.of(ColumnType.MAP) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static boolean isTextMap(Types.MapType map) {
        return map.keyType().typeId() == Type.TypeID.STRING && map.valueType().typeId() == Type.TypeID.STRING;
    }

    /** The definition that requests this column. */
    static ColumnDefinition definition(Column column) {
        return new ColumnDefinition(
                column.name(), column.type(), column.type() == ColumnType.VARCHAR ? column.index() : IndexKind.NONE);
    }
}
