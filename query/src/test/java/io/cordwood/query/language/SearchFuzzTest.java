package io.cordwood.query.language;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.query.predicate.SerializedPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a user writes into the search bar: a condition that can be sent to workers and to Trino, or an error. */
class SearchFuzzTest {
    static Stream<byte[]> searches() {
        return Stream.of(
                        "timeout level:error -status:>=500 \"connection reset\" host:web-* (a OR b)",
                        "http.path:/api/* host:web-* fail:true odd took:[100 TO 500} attributes.x:(y AND NOT z) ts:>now-5m",
                        "\"odd \\\"name\":a?b*c\\* AND {[x] - :")
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("searches")
    @FuzzTest
    void search(byte[] utf8) {
        String text = new String(utf8, UTF_8);
        try {
            BoundSearch bound = SampleColumns.bind(text);
            assertThat(SqlConditions.of(bound)).isNotEmpty();
            for (Predicate conjunct : bound.conjuncts()) {
                String json = new SerializedPredicate(conjunct).json();
                assertThat(SerializedPredicate.of(json).predicate()).isEqualTo(conjunct);
            }
        } catch (SearchSyntaxException e) {
            assertThat(e.position()).isBetween(0, text.length());
            assertThat(e).hasMessageMatching("(?s).+ at position \\d+: .+");
        }
    }
}
