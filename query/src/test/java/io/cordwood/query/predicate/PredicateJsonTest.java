package io.cordwood.query.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PredicateJsonTest {
    private static final Column TEXT = PredicateJson.unbound("http.status \"x\"", ColumnType.VARCHAR);

    @Test
    void readsWhatItWrote() {
        for (Predicate predicate : List.of(
                Predicate.TRUE,
                Predicate.FALSE,
                new Predicate.Not(new Predicate.IsNull(TEXT)),
                new Predicate.Like(TEXT, "a%\\_", Optional.of('\\')),
                new Predicate.Like(TEXT, "%", Optional.empty()),
                in(ColumnType.VARCHAR, ValueRange.equal("ü\n\"")),
                in(ColumnType.BIGINT, range(Long.MIN_VALUE, true, Long.MAX_VALUE, false)),
                in(ColumnType.TIMESTAMP, range(0L, false, 1L, true)),
                in(ColumnType.DOUBLE, range(Double.NEGATIVE_INFINITY, true, Double.POSITIVE_INFINITY, false)),
                in(ColumnType.DOUBLE, ValueRange.equal(-0.0), range(0.1, false, Double.MAX_VALUE, true)),
                in(ColumnType.BOOLEAN, ValueRange.equal(true)),
                in(
                        ColumnType.BIGINT,
                        new ValueRange(Optional.empty(), false, Optional.of(3L), true),
                        new ValueRange(Optional.of(5L), false, Optional.empty(), false)))) {
            Predicate nested = new Predicate.Or(List.of(predicate, new Predicate.And(List.of(predicate))));
            assertThat(PredicateJson.decode(PredicateJson.encode(nested))).isEqualTo(nested);
        }
    }

    @Test
    void keepsTheTextOfAMatchQuery() {
        Predicate match = new Predicate.Match(TEXT, MatchQuery.parse("disk OR \"out of\""));
        Predicate read = PredicateJson.decode(PredicateJson.encode(match));
        assertThat(((Predicate.Match) read).query()).hasToString("disk OR \"out of\"");
    }

    @Test
    void refusesWhatIsNoPredicate() {
        assertThatThrownBy(() -> PredicateJson.decode("{\"xor\": []}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("xor");
    }

    private static Predicate in(ColumnType type, ValueRange... ranges) {
        return new Predicate.In(PredicateJson.unbound("c", type), List.of(ranges));
    }

    private static ValueRange range(Object low, boolean lowInclusive, Object high, boolean highInclusive) {
        return new ValueRange(Optional.of(low), lowInclusive, Optional.of(high), highInclusive);
    }
}
