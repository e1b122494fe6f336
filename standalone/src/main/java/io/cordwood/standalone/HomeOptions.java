package io.cordwood.standalone;

import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that every command on a stack has. */
final class HomeOptions {
    private static final String VARIABLE = "CORDWOOD_HOME";

    @Option(
            names = "--home",
            paramLabel = "DIR",
            description = "the stack's directory (default: $CORDWOOD_HOME, else .cordwood beside bin/)")
    private Path directory;

    Home home() {
        if (directory != null) {
            return new Home(directory);
        }
        String variable = System.getenv(VARIABLE);
        return new Home(
                variable == null || variable.isBlank()
                        ? Installation.current().root().resolve(".cordwood")
                        : Path.of(variable));
    }
}
