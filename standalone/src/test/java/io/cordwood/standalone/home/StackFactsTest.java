package io.cordwood.standalone.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.standalone.error.CordwoodException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StackFactsTest {
    @TempDir
    private Path directory;

    private Home home;

    @BeforeEach
    void makeHome() {
        home = new Home(directory);
        home.create();
    }

    @Test
    void readsWhatWasWritten() throws Exception {
        Path properties = Files.writeString(directory.resolve("client.properties"), "security.protocol=SASL_SSL\n");
        StackFacts facts =
                StackFacts.of(List.of("logs", "requests"), Optional.of(properties), Optional.of("acme"), Map.of());

        facts.write(home);

        assertThat(StackFacts.read(home)).isEqualTo(facts);
        Properties expected = new Properties();
        expected.setProperty("security.protocol", "SASL_SSL");
        assertThat(StackFacts.read(home).clientProperties()).isEqualTo(expected);
    }

    @Test
    void embeddedKafkaNeedsNoProperties() {
        StackFacts.of(List.of("logs"), Optional.empty(), Optional.empty(), Map.of())
                .write(home);

        assertThat(StackFacts.read(home).clientProperties()).isEmpty();
    }

    @Test
    void whatAnEarlierVersionWroteHasNoDefaultTenant() throws Exception {
        Files.writeString(home.factsFile(), "{\"streams\":[\"logs\"],\"kafkaProperties\":\"\"}");

        assertThat(StackFacts.read(home).defaultTenant()).isEmpty();
    }

    @Test
    void saysWhatCannotBeRead() {
        assertThatThrownBy(() -> StackFacts.read(home))
                .isInstanceOf(CordwoodException.class)
                .hasMessageContaining("stack.json");
    }
}
