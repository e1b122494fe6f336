package io.cordwood.trino.type;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.query.scan.TimeBin;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;

/** SQL types of columns. Stateless. */
public final class SqlTypes {
    /** Type of {@code attributes}. */
    public static final MapType ATTRIBUTES_TYPE = new MapType(VARCHAR, VARCHAR, new TypeOperators());

    /** Type of a row's id in a deletion: the LogBlock's path and the row's number in it. */
    public static final RowType ROW_ID = RowType.rowType(RowType.field("path", VARCHAR), RowType.field("row", BIGINT));

    private SqlTypes() {}

    /** Type of the values of a time bin. */
    public static Type type(TimeBin bin) {
        return bin instanceof TimeBin.UnixTime ? TIMESTAMP_TZ_MILLIS : TIMESTAMP_TZ_MICROS;
    }

    /** The SQL type of values of this type. */
    public static Type type(ColumnType type) {
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
    public static ColumnType columnType(Type type) {
        for (ColumnType candidate : ColumnType.values()) {
            if (type(candidate).equals(type)) {
                return candidate;
            }
        }
        throw new IllegalArgumentException("Not the type of a column: " + type.getDisplayName());
    }
}
