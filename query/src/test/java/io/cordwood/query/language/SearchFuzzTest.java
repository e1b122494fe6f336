package io.cordwood.query.language;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a user writes into the search bar: a tree, or an error that says where. */
class SearchFuzzTest {
    static Stream<byte[]> searches() {
        return Stream.of(
                        "timeout level:error -status:>=500 \"connection reset\" host:web-* (a OR b)",
                        "http.path:/api/* took:[100 TO 500} attributes.x:(y AND NOT z) ts:>now-5m",
                        "\"odd \\\"name\":a?b*c\\* AND {[x] - :")
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("searches")
    @FuzzTest
    void search(byte[] utf8) {
        String text = new String(utf8, UTF_8);
        try {
            assertThat(SearchParser.parse(text)).isNotNull();
        } catch (SearchSyntaxException e) {
            assertThat(e.position()).isBetween(0, text.length());
            assertThat(e).hasMessageMatching("(?s).+ at position \\d+: .+");
        }
    }
}
