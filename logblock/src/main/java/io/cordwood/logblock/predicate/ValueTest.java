package io.cordwood.logblock.predicate;

import io.cordwood.logblock.match.MatchNode;
import io.cordwood.logblock.match.PhraseMatcher;
import io.cordwood.logblock.match.ValueMatcher;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.util.function.DoublePredicate;
import java.util.function.LongPredicate;

/** A compiled condition on one column's value, for tests of many values. Not thread-safe. */
public sealed interface ValueTest {
    /** A test bound to a vector, for its positions that are not null. */
    @FunctionalInterface
    interface Bound {
        boolean test(int position);
    }

    Bound on(Vector vector);

    record Text(ValueMatcher matcher) implements ValueTest {
        private static final byte TRUE = 1;
        private static final byte FALSE = 2;

        @Override
        public Bound on(Vector vector) {
            StringVector strings = (StringVector) vector;
            byte[] bytes = strings.bytes();
            int[] offsets = strings.offsets();
            if (!strings.isDictionary()) {
                return position -> matcher.matches(bytes, offsets[position], offsets[position + 1]);
            }
            byte[] known = new byte[offsets.length - 1];
            return position -> {
                int slot = strings.ids()[position];
                if (known[slot] == 0) {
                    known[slot] = matcher.matches(bytes, offsets[slot], offsets[slot + 1]) ? TRUE : FALSE;
                }
                return known[slot] == TRUE;
            };
        }
    }

    record Longs(LongPredicate predicate) implements ValueTest {
        @Override
        public Bound on(Vector vector) {
            long[] values = ((LongVector) vector).values();
            return position -> predicate.test(values[position]);
        }
    }

    record Doubles(DoublePredicate predicate) implements ValueTest {
        @Override
        public Bound on(Vector vector) {
            double[] values = ((DoubleVector) vector).values();
            return position -> predicate.test(values[position]);
        }
    }

    record Booleans(boolean whenTrue, boolean whenFalse) implements ValueTest {
        @Override
        public Bound on(Vector vector) {
            boolean[] values = ((BooleanVector) vector).values();
            return position -> values[position] ? whenTrue : whenFalse;
        }
    }

    static ValueTest of(Predicate.In in) {
        return Ranges.test(in);
    }

    static ValueTest of(Predicate.Like like) {
        return new Text(LikePattern.parse(like.pattern(), like.escape()));
    }

    static ValueTest of(IndexKind kind, MatchNode.Phrase phrase) {
        return kind == IndexKind.KEYWORD ? new Text(phrase::matchesKeyword) : new Text(PhraseMatcher.of(phrase));
    }
}
