package io.cordwood.logblock.parquet;

import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MapType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;

/** Converts a LogBlock's columns to Parquet schema elements, with the names that Iceberg would write. Stateless. */
public final class ParquetSchema {
    private static final String KEY_VALUE = "key_value";
    private static final String KEY = "key";
    private static final String VALUE = "value";

    private ParquetSchema() {}

    static List<SchemaElement> elements(LogBlockSchema schema) {
        List<SchemaElement> elements = new ArrayList<>();
        SchemaElement root = new SchemaElement("table");
        root.setNum_children(schema.columns().size());
        elements.add(root);
        for (Column column : schema.columns()) {
            if (column.type() == ColumnType.MAP) {
                addMap(column, elements);
            } else {
                elements.add(leaf(name(column.name()), column.fieldId(), column.type(), column.required()));
            }
        }
        return elements;
    }

    private static void addMap(Column column, List<SchemaElement> elements) {
        SchemaElement map = new SchemaElement(name(column.name()));
        map.setRepetition_type(FieldRepetitionType.OPTIONAL);
        map.setNum_children(1);
        map.setConverted_type(ConvertedType.MAP);
        map.setLogicalType(LogicalType.MAP(new MapType()));
        map.setField_id(column.fieldId());
        elements.add(map);
        SchemaElement entry = new SchemaElement(KEY_VALUE);
        entry.setRepetition_type(FieldRepetitionType.REPEATED);
        entry.setNum_children(2);
        elements.add(entry);
        elements.add(leaf(KEY, column.keyFieldId(), ColumnType.VARCHAR, true));
        elements.add(leaf(VALUE, column.valueFieldId(), ColumnType.VARCHAR, false));
    }

    private static SchemaElement leaf(String name, int fieldId, ColumnType type, boolean required) {
        SchemaElement element = new SchemaElement(name);
        element.setType(physicalType(type));
        element.setRepetition_type(required ? FieldRepetitionType.REQUIRED : FieldRepetitionType.OPTIONAL);
        element.setField_id(fieldId);
        if (type == ColumnType.VARCHAR) {
            element.setConverted_type(ConvertedType.UTF8);
            element.setLogicalType(LogicalType.STRING(new StringType()));
        } else if (type == ColumnType.TIMESTAMP) {
            element.setConverted_type(ConvertedType.TIMESTAMP_MICROS);
            element.setLogicalType(LogicalType.TIMESTAMP(new TimestampType(true, TimeUnit.MICROS(new MicroSeconds()))));
        }
        return element;
    }

    static Type physicalType(ColumnType type) {
        return switch (type) {
            case VARCHAR, MAP -> Type.BYTE_ARRAY;
            case BIGINT, TIMESTAMP -> Type.INT64;
            case DOUBLE -> Type.DOUBLE;
            case BOOLEAN -> Type.BOOLEAN;
        };
    }

    static List<String> keyPath(Column column) {
        return List.of(name(column.name()), KEY_VALUE, KEY);
    }

    static List<String> valuePath(Column column) {
        return List.of(name(column.name()), KEY_VALUE, VALUE);
    }

    /**
     * The name that Iceberg writes to Parquet: characters that Avro does not allow become {@code _x} and their code.
     */
    public static String name(String name) {
        StringBuilder out = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean digit = Character.isDigit(c);
            if (Character.isLetter(c) || c == '_' || i > 0 && Character.isLetterOrDigit(c)) {
                out.append(c);
            } else if (digit) {
                out.append('_').append(c);
            } else {
                out.append("_x").append(Integer.toHexString(c).toUpperCase(Locale.ROOT));
            }
        }
        return out.toString();
    }
}
