package io.cordwood.search.api;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.predicate.PredicateJson;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.http.ApiException;
import java.util.ArrayList;
import java.util.List;

/** Conditions that a row has the same values as another. Stateless. */
final class SameValues {
    private SameValues() {}

    /**
     * The conditions.
     *
     * @param row the other row alone, with these columns
     */
    static List<Predicate> of(List<QueryColumn> columns, RowChunk row) {
        List<Predicate> same = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column =
                    PredicateJson.unbound(columns.get(i).name(), columns.get(i).type());
            Vector value = row.vectors().get(i);
            same.add(
                    value.isNull(0)
                            ? new Predicate.IsNull(column)
                            : new Predicate.In(column, List.of(ValueRange.equal(value(column, value)))));
        }
        return same;
    }

    private static Object value(Column column, Vector vector) {
        return switch (vector) {
            case LongVector longs -> longs.values()[0];
            case DoubleVector doubles -> doubles.values()[0];
            case BooleanVector booleans -> booleans.values()[0];
            case StringVector strings -> strings.string(0);
            case MapVector _ -> throw ApiException.invalid("'same' cannot name the map '%s'".formatted(column.name()));
        };
    }
}
