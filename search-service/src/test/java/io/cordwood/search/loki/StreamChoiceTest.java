package io.cordwood.search.loki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.http.ApiException;
import io.cordwood.search.logql.LogQl;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StreamChoiceTest {
    private static Optional<String> choice(String selector, String... streams) {
        return StreamChoice.of(LogQl.parseLogQuery(selector).selector(), List.of(streams));
    }

    @Test
    void theLabelChooses() {
        assertThat(choice("{stream=\"b\", x=\"y\"}", "a", "b")).contains("b");
        assertThat(choice("{stream=~\"b.*\"}", "a", "b")).contains("b");
        assertThat(choice("{stream!=\"b\"}", "a", "b")).contains("a");
        assertThat(choice("{stream=\"c\"}", "a", "b")).isEmpty();
    }

    @Test
    void withoutTheLabelItIsTheOnlyOneOrTheDefault() {
        assertThat(choice("{x=\"y\"}", "a")).contains("a");
        assertThat(choice("{x=\"y\"}", "a", "logs")).contains("logs");
        assertThatThrownBy(() -> choice("{x=\"y\"}", "a", "b"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("a, b: choose one, as in {stream=\"a\"}");
        assertThatThrownBy(() -> choice("{stream=~\".+\"}", "a", "logs")).isInstanceOf(ApiException.class);
    }
}
