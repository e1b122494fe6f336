package io.cordwood.search.logql.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.SampleExpression;
import io.cordwood.search.logql.line.LogLine;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Failures of a pipeline, which are none of the source of its lines. */
class RangeEvaluatorTest {
    private static final int LINES = 10;
    private static final long NANOS = 1_000_000_000L;

    private static void evaluate(String query, LineSource source) {
        new MetricEvaluator(source, Steps.at(NANOS)).evaluate((SampleExpression) LogQl.parse(query));
    }

    @Test
    void linesAfterAFailureAreNotWorkedOn() {
        AtomicInteger changed = new AtomicInteger();
        LineSource source = (_, _, _, _, visitor) -> {
            for (int i = 0; i < LINES; i++) {
                LogLine line = new LogLine(NANOS, "no JSON", Map.of(), Map.of());
                visitor.accept(line);
                changed.addAndGet(line.line().equals("new") ? 1 : 0);
            }
        };
        assertThatThrownBy(() -> evaluate("rate({} | json | line_format \"new\" [1m])", source))
                .isInstanceOf(EvaluationException.class)
                .hasMessageContaining("JSONParserErr");
        assertThat(changed).hasValue(1);
    }

    /** A source that reads records must not take a defect of a stage for damage of what it reads. */
    @Test
    void anyFailureLeavesTheSourceAlone() {
        AtomicInteger visited = new AtomicInteger();
        LineSource source = new LineSource() {
            @Override
            public void read(
                    LogQuery query, NeededLabels needs, long afterNanos, long toNanos, Consumer<LogLine> visitor) {
                for (int i = 0; i < LINES; i++) {
                    visitor.accept(null);
                    visited.incrementAndGet();
                }
            }
        };
        assertThatThrownBy(() -> evaluate("rate({} | json [1m])", source)).isInstanceOf(NullPointerException.class);
        assertThat(visited).hasValue(LINES);
    }
}
