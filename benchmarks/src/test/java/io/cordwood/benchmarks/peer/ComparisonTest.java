package io.cordwood.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.report.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
    private static final BenchQuery QUERY = new BenchQuery(
            "Q2", "50", "1h", 10, 20, new ObjectMapper().createObjectNode().put("token", "timeout"), 7);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** An engine that takes as long as it is told. */
    private record Fixed(String name, double millis, double floor, long rows) implements Peer {
        @Override
        public Run ask(BenchQuery query) {
            boolean nothing = query.fromMicros() == 0;
            return new Run(new Answer(nothing ? 0 : rows, 0), nothing ? floor : millis, 0);
        }
    }

    private Comparison.Result compare(Peer ours, Peer other) throws Exception {
        Report report = new Report("test", new PrintStream(out, true, StandardCharsets.UTF_8));
        Comparison.Result result = new Comparison(report, ours, List.of(other), 0.1, 3)
                .measure(List.of(QUERY), query -> "t" + query.tenant());
        result.reportAnswers(report);
        return result;
    }

    private String figure(String name, String metric, Object value) {
        return "\"case\":\"%s\",\"metric\":\"%s\",\"value\":%s".formatted(name, metric, value);
    }

    @Test
    void ratiosAreOfTimesAboveTheirFloors() throws Exception {
        compare(new Fixed("ours", 11, 10, 7), new Fixed("other", 5, 1, 7));

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        figure("Q2/t50/1h/warm", "median_ms", 11.0),
                        figure("Q2/t50/1h/floor", "median_ms", 10.0),
                        figure("Q2/t50/1h/other", "median_ms", 5.0),
                        figure("t50", "p95_ms", 11.0),
                        figure("floor/t50", "median_ms", 10.0),
                        figure("other_floor/t50", "median_ms", 1.0),
                        figure("vs_other/t50", "time_ratio_geomean", 0.25),
                        figure("all", "answers_right", 1.0),
                        figure("other", "answers_right", 1.0));
    }

    @Test
    void wrongAnswersAreCounted() throws Exception {
        Comparison.Result result = compare(new Fixed("ours", 2, 1, 7), new Fixed("other", 2, 1, 8));

        assertThat(result.right()).containsEntry("ours", 1).containsEntry("other", 0);
    }
}
