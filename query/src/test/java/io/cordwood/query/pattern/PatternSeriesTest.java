package io.cordwood.query.pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PatternSeriesTest {
    private static final String LEFT = "user <num> left";

    private static void add(LineCounter counter, String line, long micros) {
        byte[] bytes = line.getBytes(UTF_8);
        counter.add(bytes, 0, bytes.length, micros, false);
    }

    @Test
    void linesAreCountedByTemplateAndStepHoweverTheyAreDivided() {
        SignatureCounts lines = new SignatureCounts();
        add(lines, "user 7 left", 0);
        add(lines, "disk is full", 0);
        Templates templates = lines.mine(() -> {});
        PatternSeries series = new PatternSeries(templates, List.of(LEFT), 100, 10, 3);
        PatternSeries more = new PatternSeries(templates, List.of(LEFT), 100, 10, 3);
        add(series, "user 1 left", 99);
        add(series, "user 1 left", 100);
        add(series, "user 2 left", 109);
        add(more, "user 3 left", 129);
        add(more, "user 3 left", 130);
        add(more, "disk is full", 110);
        add(more, "no such line", 110);
        more.addWithoutText(false);
        series.add(more);
        assertThat(series.counts()).isEqualTo(Map.of(LEFT, List.of(2L, 0L, 1L)));
    }
}
