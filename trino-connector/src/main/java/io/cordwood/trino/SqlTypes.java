package io.cordwood.trino;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.VarcharType.VARCHAR;

import io.cordwood.logblock.ColumnType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;

/** Types of columns in SQL. Stateless. */
final class SqlTypes {
    /** Type of {@code attributes}. */
    static final MapType ATTRIBUTES_TYPE = new MapType(VARCHAR, VARCHAR, new TypeOperators());

    private SqlTypes() {}

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
}
