package io.cordwood.catalog.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class S3SettingsTest {
    private static final S3Settings SETTINGS =
            new S3Settings(Optional.of(URI.create("http://127.0.0.1:9000")), Optional.of("eu-north-1"), true);

    @Test
    void propertiesBearTheNamesThatIcebergKnows() {
        assertThat(SETTINGS.properties())
                .containsOnly(
                        Map.entry("s3.endpoint", "http://127.0.0.1:9000"),
                        Map.entry("client.region", "eu-north-1"),
                        Map.entry("s3.path-style-access", "true"));
        assertThat(S3Settings.of(SETTINGS.properties())).isEqualTo(SETTINGS);
    }

    @Test
    void defaultsAreNoProperties() {
        assertThat(S3Settings.DEFAULTS.properties()).isEmpty();
        assertThat(S3Settings.of(Map.of("io-impl", "other"))).isEqualTo(S3Settings.DEFAULTS);
    }

    @Test
    void regionThatIsGivenIsTaken() {
        assertThat(S3Clients.region(SETTINGS)).contains("eu-north-1");
        assertThat(S3Clients.region(S3Settings.DEFAULTS)).isEmpty();
    }

    @Test
    void endpointThatIsNoAddressIsRefused() {
        assertThatThrownBy(() -> S3Settings.of(Map.of("s3.endpoint", "not an address")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
