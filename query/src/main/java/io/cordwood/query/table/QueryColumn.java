package io.cordwood.query.table;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.util.Optional;
import java.util.Set;

/**
 * A column of a query. Immutable. {@link TableColumns} maps it to the stored columns of each table.
 *
 * @param name its name
 * @param type type of its values
 * @param source origin of the values
 * @param index how {@code match} reads the values, if all tables of the scan agree
 */
public record QueryColumn(String name, ColumnType type, Source source, IndexKind index) {
    /** The origin of a column's values. */
    public enum Source {
        /** One stored column, or two where a bigint column has a double twin. */
        STORED,
        /** The tenant's id, the same for all rows of a table. */
        TENANT_ID,
        /** The location of the row's LogBlock; null for hot rows. */
        PATH,
        /** {@code hot} or {@code cold}. */
        TIER,
        /** {@code attributes} of {@code all_tenants}: the stored map and, as text, every overflow column. */
        OVERFLOW
    }

    public static final String PATH_NAME = "$path";
    public static final String TIER_NAME = "$tier";
    private static final String ATTRIBUTE_PREFIX = LogBlockSchema.ATTRIBUTES + ".";
    static final String TOPIC_ID_NAME = "$kafka_topic_id";
    static final String PARTITION_NAME = "$kafka_partition";
    static final String OFFSET_NAME = "$kafka_offset";
    static final String ORDINAL_NAME = "$kafka_ordinal";

    /** The path too: the name of a LogBlock has the offsets of its flush. */
    private static final Set<String> PLACES =
            Set.of(PATH_NAME, TOPIC_ID_NAME, PARTITION_NAME, OFFSET_NAME, ORDINAL_NAME);

    public static final QueryColumn TENANT_ID =
            new QueryColumn(LogBlockSchema.TENANT_ID, ColumnType.VARCHAR, Source.TENANT_ID, IndexKind.KEYWORD);
    public static final QueryColumn TS = stored(LogBlockSchema.TS, ColumnType.TIMESTAMP, IndexKind.NONE);
    public static final QueryColumn PATH =
            new QueryColumn(PATH_NAME, ColumnType.VARCHAR, Source.PATH, IndexKind.KEYWORD);
    public static final QueryColumn TIER =
            new QueryColumn(TIER_NAME, ColumnType.VARCHAR, Source.TIER, IndexKind.KEYWORD);
    static final QueryColumn TOPIC_ID = stored(TOPIC_ID_NAME, ColumnType.VARCHAR, IndexKind.NONE);
    public static final QueryColumn PARTITION = stored(PARTITION_NAME, ColumnType.BIGINT, IndexKind.NONE);
    public static final QueryColumn OFFSET = stored(OFFSET_NAME, ColumnType.BIGINT, IndexKind.NONE);
    public static final QueryColumn ORDINAL = stored(ORDINAL_NAME, ColumnType.BIGINT, IndexKind.NONE);
    static final QueryColumn OVERFLOW =
            new QueryColumn(LogBlockSchema.ATTRIBUTES, ColumnType.MAP, Source.OVERFLOW, IndexKind.NONE);

    public QueryColumn {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(source, "source is null");
        requireNonNull(index, "index is null");
    }

    public static QueryColumn stored(String name, ColumnType type, IndexKind index) {
        return new QueryColumn(name, type, Source.STORED, index);
    }

    /** Whether a column of this name tells the place of a row in the topic, which all tenants share. */
    public static boolean isPlace(String name) {
        return PLACES.contains(name);
    }

    /** The name under which conditions mean the entry of {@code attributes} with this key. */
    public static String attributeName(String key) {
        return ATTRIBUTE_PREFIX + key;
    }

    /** The key of the entry of {@code attributes} that a name means, if any. No stored column has such a name. */
    public static Optional<String> attributeKey(String name) {
        return name.startsWith(ATTRIBUTE_PREFIX)
                ? Optional.of(name.substring(ATTRIBUTE_PREFIX.length()))
                : Optional.empty();
    }

    /** Whether {@code SELECT *} omits it. */
    @JsonIgnore
    public boolean isHidden() {
        return name.startsWith("$");
    }

    /** Whether conditions on its values can be answered. */
    @JsonIgnore
    public boolean isComparable() {
        return source != Source.OVERFLOW;
    }
}
