package io.cordwood.standalone.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackCatalogTest {
    @TempDir
    private Path directory;

    @Test
    void theOptionWinsOverTheEnvironmentAndThatOverTheHome() throws IOException {
        Home home = new Home(directory);
        assertThat(StackCatalog.token(home, Optional.empty(), Optional.empty())).isEmpty();
        Files.createDirectories(home.operatorToken().getParent());
        Files.writeString(home.operatorToken(), "of-the-home\n");
        assertThat(StackCatalog.token(home, Optional.empty(), Optional.of(" "))).hasValue("of-the-home");
        assertThat(StackCatalog.token(home, Optional.empty(), Optional.of("of-the-environment")))
                .hasValue("of-the-environment");
        Path file = Files.writeString(directory.resolve("given"), "given");
        assertThat(StackCatalog.token(home, Optional.of(file), Optional.of("of-the-environment")))
                .hasValue("given");
    }
}
