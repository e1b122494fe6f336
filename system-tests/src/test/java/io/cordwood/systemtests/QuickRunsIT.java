package io.cordwood.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.benchmarks.Benchmarks;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every benchmark once, as its script starts it. */
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class QuickRunsIT {
    private final Path root = Path.of("..").toAbsolutePath().normalize();

    static Stream<String> benchmarks() {
        return Stream.of(new CommandLine(new Benchmarks()), SystemTests.commandLine())
                .flatMap(commands -> commands.getSubcommands().keySet().stream());
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void endsWithFigures(String benchmark) throws Exception {
        ProcessBuilder command = new ProcessBuilder(root.resolve("bin/bench").toString(), benchmark, "--quick")
                .redirectErrorStream(true);
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        command.environment().put("CORDWOOD_BUILD", "never");
        Process process = command.start();
        process.getOutputStream().close();
        List<String> lines;
        try (BufferedReader out = process.inputReader(UTF_8)) {
            lines = out.lines().toList();
        } finally {
            process.destroy();
        }

        assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
        assertThat(lines).anyMatch(line -> line.startsWith("{\"bench\":\"%s\"".formatted(benchmark)));
    }
}
