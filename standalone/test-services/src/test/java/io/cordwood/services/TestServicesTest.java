package io.cordwood.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TestServicesTest {
    @Test
    void dockerDecidesUnlessThePropertyDoes() {
        assertThat(TestServices.inContainers("", () -> true)).isTrue();
        assertThat(TestServices.inContainers("", () -> false)).isFalse();
        assertThat(TestServices.inContainers("containers", () -> false)).isTrue();
        assertThat(TestServices.inContainers("processes", () -> true)).isFalse();
    }

    @Test
    void otherPlacesThereAreNot() {
        assertThatThrownBy(() -> TestServices.inContainers("cloud", () -> true))
                .hasMessage("cordwood.test.services is containers or processes, not 'cloud'");
    }
}
