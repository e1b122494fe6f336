package io.cordwood.trino;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.type.Type;

/**
 * A column as SQL sees it. Immutable. Which columns of a file it stands for is decided for each table, by
 * {@link TableColumns}.
 *
 * @param name name in SQL
 * @param type type in SQL
 * @param kind where the values come from
 * @param index how {@code match} reads the values, as far as all tables of the scan agree
 * @param detail for {@link Kind#PREDICATE} the encoded predicate, for {@link Kind#TIME_BIN} the encoded bin, else empty
 */
public record CordwoodColumnHandle(String name, Type type, Kind kind, IndexKind index, String detail)
        implements ColumnHandle {
    /** Where the values of a column come from. */
    public enum Kind {
        /** One stored column, or two where a bigint column has a double twin. */
        STORED,
        /** The tenant's id, the same for all rows of a split. */
        TENANT_ID,
        /** Where the rows are stored: a LogBlock's location; null for hot rows. */
        PATH,
        /** {@code hot} or {@code cold}. */
        TIER,
        /** {@code attributes} of {@code all_tenants}: the stored map and, as text, every column not shown. */
        OTHER_COLUMNS,
        /** The value of a predicate on the row, which the engine would otherwise compute. */
        PREDICATE,
        /** The bin of a histogram that the row's time lies in. */
        TIME_BIN,
        /** What a deletion knows the row by. */
        ROW_ID,
        /** How many rows are in a group. */
        COUNT
    }

    static final String PATH_NAME = "$path";
    static final String TIER_NAME = "$tier";
    static final String TOPIC_ID_NAME = "$kafka_topic_id";
    static final String PARTITION_NAME = "$kafka_partition";
    static final String OFFSET_NAME = "$kafka_offset";
    static final String ORDINAL_NAME = "$kafka_ordinal";

    static final CordwoodColumnHandle TENANT_ID =
            new CordwoodColumnHandle(LogBlockSchema.TENANT_ID, VARCHAR, Kind.TENANT_ID, IndexKind.KEYWORD, "");
    static final CordwoodColumnHandle PATH =
            new CordwoodColumnHandle(PATH_NAME, VARCHAR, Kind.PATH, IndexKind.KEYWORD, "");
    static final CordwoodColumnHandle TIER =
            new CordwoodColumnHandle(TIER_NAME, VARCHAR, Kind.TIER, IndexKind.KEYWORD, "");
    static final CordwoodColumnHandle TOPIC_ID =
            new CordwoodColumnHandle(TOPIC_ID_NAME, VARCHAR, Kind.STORED, IndexKind.NONE, "");
    static final CordwoodColumnHandle PARTITION =
            new CordwoodColumnHandle(PARTITION_NAME, BIGINT, Kind.STORED, IndexKind.NONE, "");
    static final CordwoodColumnHandle OFFSET =
            new CordwoodColumnHandle(OFFSET_NAME, BIGINT, Kind.STORED, IndexKind.NONE, "");
    static final CordwoodColumnHandle ORDINAL =
            new CordwoodColumnHandle(ORDINAL_NAME, BIGINT, Kind.STORED, IndexKind.NONE, "");

    static final CordwoodColumnHandle ROW_ID =
            new CordwoodColumnHandle("$row_id", RowIds.TYPE, Kind.ROW_ID, IndexKind.NONE, "");

    static final CordwoodColumnHandle COUNT =
            new CordwoodColumnHandle("$count", BIGINT, Kind.COUNT, IndexKind.NONE, "");

    public CordwoodColumnHandle {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(index, "index is null");
        requireNonNull(detail, "detail is null");
    }

    static CordwoodColumnHandle stored(String name, Type type, IndexKind index) {
        return new CordwoodColumnHandle(name, type, Kind.STORED, index, "");
    }

    static CordwoodColumnHandle otherColumns(Type mapType) {
        return new CordwoodColumnHandle(LogBlockSchema.ATTRIBUTES, mapType, Kind.OTHER_COLUMNS, IndexKind.NONE, "");
    }

    static CordwoodColumnHandle predicate(Predicate predicate) {
        String encoded = PredicateJson.encode(predicate);
        return new CordwoodColumnHandle("$predicate:" + encoded, BOOLEAN, Kind.PREDICATE, IndexKind.NONE, encoded);
    }

    static CordwoodColumnHandle timeBin(TimeBin bin) {
        return new CordwoodColumnHandle(
                "$bin:" + bin.encode(), bin.type(), Kind.TIME_BIN, IndexKind.NONE, bin.encode());
    }

    /** Whether {@code SELECT *} and {@code SHOW COLUMNS} leave it out. */
    @JsonIgnore
    boolean isHidden() {
        return name.startsWith("$");
    }

    /** Whether conditions on its values can be answered. */
    @JsonIgnore
    boolean isComparable() {
        return switch (kind) {
            case STORED, TENANT_ID, PATH, TIER -> true;
            case OTHER_COLUMNS, PREDICATE, TIME_BIN, ROW_ID, COUNT -> false;
        };
    }

    ColumnMetadata metadata() {
        return ColumnMetadata.builder()
                .setName(name)
                .setType(type)
                .setNullable(
                        kind == Kind.PATH || (kind != Kind.TENANT_ID && !name.equals(LogBlockSchema.TS) && !isHidden()))
                .setHidden(isHidden())
                .build();
    }

    /** What {@code EXPLAIN} shows. */
    @Override
    public String toString() {
        return name + ":" + type.getDisplayName();
    }
}
