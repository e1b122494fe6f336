package io.cordwood.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Options are checked before the service starts. */
class SearchTuningTest {
    private final SearchTuning.Alertmanagers converter = new SearchTuning.Alertmanagers();

    @Test
    void addressesOfAlertmanagers() {
        assertThat(converter
                        .convert("http://alert-1:9093,https://[::1]:9093/path")
                        .uris())
                .containsExactly(URI.create("http://alert-1:9093"), URI.create("https://[::1]:9093/path"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://alert_manager:9093", "http://:9093", "http://[:9093"})
    void anAddressWithoutAHostIsRefused(String address) {
        assertThatThrownBy(() -> converter.convert(address))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining(address)
                .hasMessageContaining("has no host");
    }
}
