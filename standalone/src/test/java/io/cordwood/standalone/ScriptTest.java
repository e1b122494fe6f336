package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code bin/cordwood} does before there is a JVM, in a project that does not compile. */
final class ScriptTest {
    @TempDir
    private Path root;

    @BeforeEach
    void makeProjectThatDoesNotCompile() throws IOException {
        Path bin = Program.root().resolve("bin");
        Files.createDirectories(root.resolve("bin/internal"));
        Files.copy(bin.resolve("cordwood"), root.resolve("bin/cordwood"));
        Files.copy(bin.resolve("internal/common.sh"), root.resolve("bin/internal/common.sh"));
        Path maven = Files.writeString(root.resolve("mvnw"), "#!/bin/sh\nexit 1\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "down", "--debug sql", "tenant list"})
    void whatAsksOrStopsTakesTheLastBuild(String command) throws Exception {
        Path target = Files.createDirectories(root.resolve("standalone/target"));
        Files.writeString(target.resolve("classpath.txt"), "");
        Files.createFile(target.resolve("standalone-0.1.0-SNAPSHOT.jar"));

        // The jar is empty: that java was asked for the class shows that nothing was built before.
        assertThat(run(command)).contains("io.cordwood.standalone.Cordwood").doesNotContain("build");
    }

    @ParameterizedTest
    @ValueSource(strings = {"up", "demo", "produce --tenant=sql"})
    void whatStartsOrShipsIsBuilt(String command) throws Exception {
        Path target = Files.createDirectories(root.resolve("standalone/target"));
        Files.writeString(target.resolve("classpath.txt"), "");
        Files.createFile(target.resolve("standalone-0.1.0-SNAPSHOT.jar"));

        assertThat(run(command)).contains("cordwood: the build failed: see ");
    }

    @Test
    void withoutABuildEverythingIsBuilt() throws Exception {
        assertThat(run("status")).contains("cordwood: the build failed: see ");
    }

    private String run(String command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        ("sh " + root.resolve("bin/cordwood") + " " + command).split(" ", -1))
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("CORDWOOD_BUILD");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isNotZero();
        return output;
    }
}
