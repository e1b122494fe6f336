package io.cordwood.search.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import io.cordwood.logblock.schema.ColumnType;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.Bool;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Struct_;
import org.apache.arrow.flatbuf.TimeUnit;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

/** Columns as a schema of Arrow. Stateless. */
final class ArrowSchema {
    private static final int NONE = 0;
    private static final int LONG_BITS = 64;
    private static final String UTC = "UTC";

    private ArrowSchema() {}

    /** Writes the schema, and returns its offset. */
    static int write(FlatBufferBuilder builder, List<ArrowColumn> columns, Map<String, String> metadata) {
        int[] fields =
                columns.stream().mapToInt(column -> field(builder, column)).toArray();
        int[] pairs = metadata.entrySet().stream()
                .mapToInt(entry -> KeyValue.createKeyValue(
                        builder, builder.createString(entry.getKey()), builder.createString(entry.getValue())))
                .toArray();
        return Schema.createSchema(
                builder,
                Endianness.Little,
                Schema.createFieldsVector(builder, fields),
                Schema.createCustomMetadataVector(builder, pairs),
                NONE);
    }

    private static int field(FlatBufferBuilder builder, ArrowColumn column) {
        int[] children = column.type() == ColumnType.MAP ? new int[] {entries(builder)} : new int[0];
        return field(builder, column.name(), true, typeId(column.type()), type(builder, column.type()), children);
    }

    /** The entries of a map: a struct of key and value. */
    private static int entries(FlatBufferBuilder builder) {
        int[] keyAndValue = {
            field(builder, "key", false, Type.Utf8, utf8(builder), new int[0]),
            field(builder, "value", true, Type.Utf8, utf8(builder), new int[0])
        };
        Struct_.startStruct_(builder);
        return field(builder, "entries", false, Type.Struct_, Struct_.endStruct_(builder), keyAndValue);
    }

    private static int field(
            FlatBufferBuilder builder, String name, boolean isNullable, byte typeId, int type, int[] children) {
        return Field.createField(
                builder,
                builder.createString(name),
                isNullable,
                typeId,
                type,
                NONE,
                Field.createChildrenVector(builder, children),
                NONE);
    }

    private static byte typeId(ColumnType type) {
        return switch (type) {
            case VARCHAR -> Type.Utf8;
            case BIGINT -> Type.Int;
            case DOUBLE -> Type.FloatingPoint;
            case BOOLEAN -> Type.Bool;
            case TIMESTAMP -> Type.Timestamp;
            case MAP -> Type.Map;
        };
    }

    private static int type(FlatBufferBuilder builder, ColumnType type) {
        return switch (type) {
            case VARCHAR -> utf8(builder);
            case BIGINT -> Int.createInt(builder, LONG_BITS, true);
            case DOUBLE -> FloatingPoint.createFloatingPoint(builder, Precision.DOUBLE);
            case BOOLEAN -> {
                Bool.startBool(builder);
                yield Bool.endBool(builder);
            }
            case TIMESTAMP -> Timestamp.createTimestamp(builder, TimeUnit.MICROSECOND, builder.createString(UTC));
            case MAP -> org.apache.arrow.flatbuf.Map.createMap(builder, false);
        };
    }

    private static int utf8(FlatBufferBuilder builder) {
        Utf8.startUtf8(builder);
        return Utf8.endUtf8(builder);
    }
}
