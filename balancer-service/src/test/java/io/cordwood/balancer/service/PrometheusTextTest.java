package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class PrometheusTextTest {
    @Test
    void labelsMayHoldAnyCharacter() {
        assertThat(PrometheusText.labels(Map.of("tenant", "a\"b\\c\nd", "stream", "logs")))
                .isEqualTo("{stream=\"logs\",tenant=\"a\\\"b\\\\c\\nd\"}");
    }

    @Test
    void eachMetricHasItsHelpOnce() {
        PrometheusText text = new PrometheusText();
        text.add("x_total", "what", "{a=\"1\"}", 1);
        text.add("y", "level", "", 2);
        text.add("x_total", "what", "{a=\"2\"}", 3);
        assertThat(text.toString()).isEqualTo("""
                # HELP x_total what
                # TYPE x_total counter
                x_total{a="1"} 1.0
                x_total{a="2"} 3.0
                # HELP y level
                # TYPE y gauge
                y 2.0
                """);
    }
}
