package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.trino.AskedColumn.Kind;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values with their counts, as the search service answers them.
 *
 * @param counts most frequent first; null is {@link Optional#empty()}
 */
record AnsweredValues(Map<Object, Long> counts) {
    static AnsweredValues of(AskedColumn column, JsonNode values) {
        Map<Object, Long> counts = new LinkedHashMap<>();
        for (JsonNode value : values) {
            Long before = counts.put(
                    value.path("value").isNull()
                            ? Optional.empty()
                            : typed(column.kind(), value.path("value").asText()),
                    value.path("count").asLong());
            assertThat(before).as("another count of %s", value).isNull();
        }
        return new AnsweredValues(counts);
    }

    private static Object typed(Kind kind, String text) {
        return switch (kind) {
            case TEXT, KEYWORD -> text;
            case BIGINT -> Long.valueOf(text);
            case DOUBLE -> Double.valueOf(text);
            case BOOLEAN -> Boolean.valueOf(text);
            case TIME -> Instant.parse(text);
        };
    }

    /** A value of SQL, to compare. */
    static Object ofSql(Object value) {
        return switch (value) {
            case null -> Optional.empty();
            case ZonedDateTime time -> time.toInstant();
            // One group in SQL, which shows the zero that came first
            case Double number -> number + 0.0;
            default -> value;
        };
    }

    static long millis(JsonNode time) {
        return Instant.parse(time.asText()).toEpochMilli();
    }

    /** None of them has more rows than in truth. */
    void assertLowerBounds(Map<Object, Long> all) {
        counts.forEach((value, count) -> assertThat(count).as("%s", value).isLessThanOrEqualTo(all.get(value)));
    }

    /** They are the most frequent of these values, of which others with equal counts may stand in their place. */
    void assertMostFrequent(Map<Object, Long> all, int limit) {
        assertThat(all).containsAllEntriesOf(counts);
        List<Long> most = all.values().stream()
                .sorted(Comparator.reverseOrder())
                .limit(limit)
                .toList();
        assertThat(List.copyOf(counts.values())).isEqualTo(most);
    }

    void assertMostFrequent(Map<Object, Long> all, int limit, long others) {
        assertMostFrequent(all, limit);
        assertThat(sum(counts) + others).isEqualTo(sum(all));
    }

    private static long sum(Map<Object, Long> counts) {
        return counts.values().stream().mapToLong(n -> n).sum();
    }
}
