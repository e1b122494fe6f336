package io.cordwood.logblock.predicate;

import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.schema.Column;
import java.util.List;
import java.util.Optional;

/**
 * A condition on rows, with SQL's three-valued logic: a row is selected if the condition is true, not if it is null.
 * Immutable. An index gives the same answer as {@link PredicateEvaluator} on the values.
 *
 * <p>Columns are those of the table; a column that the LogBlock lacks is null.
 */
public sealed interface Predicate {
    Predicate TRUE = new And(List.of());
    Predicate FALSE = new Or(List.of());

    record And(List<Predicate> terms) implements Predicate {
        public And {
            terms = List.copyOf(terms);
        }
    }

    record Or(List<Predicate> terms) implements Predicate {
        public Or {
            terms = List.copyOf(terms);
        }
    }

    record Not(Predicate term) implements Predicate {}

    record IsNull(Column column) implements Predicate {}

    /** {@code match(column, query)} on a KEYWORD or TEXT column. */
    record Match(Column column, MatchQuery query) implements Predicate {}

    /** {@code LIKE} of SQL; {@code escape} is the escape character, if any. */
    record Like(Column column, String pattern, Optional<Character> escape) implements Predicate {}

    /**
     * The condition that the value lies in one of the ranges. Ranges are sorted and disjoint; a single value is a range
     * too.
     */
    record In(Column column, List<ValueRange> ranges) implements Predicate {
        public In {
            ranges = List.copyOf(ranges);
        }
    }

    /**
     * A range of values. Values are {@code Long} (BIGINT, TIMESTAMP in microseconds), {@code Double}, {@code Boolean}
     * or {@code String} (ordered by UTF-8 bytes). An absent end is unbounded.
     */
    record ValueRange(Optional<Object> low, boolean lowInclusive, Optional<Object> high, boolean highInclusive) {
        public static ValueRange equal(Object value) {
            return new ValueRange(Optional.of(value), true, Optional.of(value), true);
        }

        public boolean isSingleValue() {
            return low.isPresent() && lowInclusive && highInclusive && low.equals(high);
        }
    }
}
