package io.cordwood.standalone.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.standalone.error.CordwoodException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortRangeTest {
    @Test
    void isFromTo() {
        assertThat(PortRange.of("21000-21999")).isEqualTo(new PortRange(21_000, 21_999));
        assertThat(PortRange.of(" 7000-7000 ").size()).isEqualTo(1);
        assertThat(PortRange.of(null)).isEqualTo(PortRange.DEFAULT);
        assertThat(PortRange.of("")).isEqualTo(PortRange.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"21000", "2-1", "0-5", "1-65536", "a-b", "1-2-3", "-"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> PortRange.of(text))
                .isInstanceOf(CordwoodException.class)
                .hasMessage("CORDWOOD_PORTS is '" + text
                        + "': give two ports between 1 and 65535, for instance 20000-20999");
    }
}
