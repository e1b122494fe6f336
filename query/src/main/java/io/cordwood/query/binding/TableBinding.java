package io.cordwood.query.binding;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnNames;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.predicate.SerializedPredicate;
import io.cordwood.query.table.QueryColumn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Maps the SQL columns of a scan to constants and stored columns of one table. Immutable. In a JSON document each
 * instance stands once, and elsewhere its number.
 *
 * @param constants values of columns that are the same for all rows
 * @param columns the stored columns behind each other column: none if the table lacks it, a second one if it is a twin
 * @param expiredBeforeMicros rows older than this have expired and are skipped; {@link Long#MIN_VALUE} if none has
 * @param names names of the columns in files without field ids
 * @param visible the condition that makes a row visible; empty if all rows are
 */
@JsonIdentityInfo(generator = ObjectIdGenerators.IntSequenceGenerator.class)
public record TableBinding(
        Map<String, String> constants,
        Map<String, List<Column>> columns,
        long expiredBeforeMicros,
        ColumnNames names,
        Optional<SerializedPredicate> visible) {
    @JsonCreator
    public TableBinding(
            @JsonProperty("constants") Map<String, String> constants,
            @JsonProperty("columns") Map<String, List<Column>> columns,
            @JsonProperty("expiredBeforeMicros") long expiredBeforeMicros,
            @JsonProperty("names") ColumnNames names,
            @JsonProperty("visible") Optional<SerializedPredicate> visible) {
        this.constants = Map.copyOf(constants);
        this.columns = Map.copyOf(columns);
        this.expiredBeforeMicros = expiredBeforeMicros;
        this.names = names;
        this.visible = visible;
    }

    /** A binding without expired rows. */
    public TableBinding(Map<String, String> constants, Map<String, List<Column>> columns) {
        this(constants, columns, Long.MIN_VALUE, ColumnNames.NONE, Optional.empty());
    }

    /** This binding with a further constant. */
    public TableBinding withConstant(String name, String value) {
        Map<String, String> all = new HashMap<>(constants);
        all.put(name, value);
        return new TableBinding(all, columns, expiredBeforeMicros, names, visible);
    }

    /**
     * This binding, limited to the rows that meet a condition.
     *
     * @param condition on columns as they are stored
     * @param stored those columns
     */
    TableBinding limitedTo(Predicate condition, List<Column> stored) {
        if (condition.equals(Predicate.TRUE)) {
            return this;
        }
        Map<String, List<Column>> all = new HashMap<>(columns);
        stored.forEach(column -> all.put(column.name(), List.of(column)));
        return new TableBinding(
                constants, all, expiredBeforeMicros, names, Optional.of(new SerializedPredicate(condition)));
    }

    /** Times of the rows that have not expired. */
    @JsonIgnore
    public TimeRange kept() {
        return new TimeRange(expiredBeforeMicros, Long.MAX_VALUE);
    }

    public Optional<String> constant(String name) {
        return Optional.ofNullable(constants.get(name));
    }

    public List<Column> sources(String name) {
        return columns.getOrDefault(name, List.of());
    }

    /** Whether the values of an SQL column are entries of {@code attributes}, which are found row by row. */
    public boolean isAttribute(String name) {
        return QueryColumn.attributeKey(name).isPresent()
                && !sources(LogBlockSchema.ATTRIBUTES).isEmpty();
    }
}
