package io.cordwood.search.logql.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.SampleExpression;
import io.cordwood.search.logql.line.LogLine;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelReplaceTest {
    private static final long NANOS = 1_000_000_000L;

    private static Result evaluated(String replacement, String text) {
        LineSource source =
                (_, _, _, _, visitor) -> visitor.accept(new LogLine(NANOS, text, Map.of("a", "b"), Map.of()));
        String lines = "count_over_time({} | regexp \"(?P<all>.*)\" [1m])";
        String query = "label_replace(%s, \"new\", \"%s\", \"all\", \"(?P<x>.*)\")".formatted(lines, replacement);
        SampleExpression expression = (SampleExpression) LogQl.parse(query);
        return new MetricEvaluator(source, Steps.at(NANOS)).evaluate(expression);
    }

    @Test
    void replacementsReferToGroups() {
        assertThat(evaluated("$1-${x}-${2}-$$", "text"))
                .isInstanceOfSatisfying(
                        Result.Vector.class,
                        vector ->
                                assertThat(vector.series().getFirst().labels()).containsEntry("new", "text-text--$"));
    }

    @Test
    void labelsHaveABound() {
        assertThatThrownBy(() -> evaluated("$0".repeat(100), "x".repeat(10_000)))
                .isInstanceOf(EvaluationException.class)
                .hasMessageContaining("longer than 65,536 characters");
    }
}
