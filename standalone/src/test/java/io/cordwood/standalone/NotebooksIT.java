package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executes every notebook on a real stack, as a reader would; their cells assert what they say. */
@Tag("slow")
final class NotebooksIT {
    private final Path notebooks = Program.root().resolve("notebooks");

    @Test
    void everyCellRuns(@TempDir Path executed) throws Exception {
        assertThat(run("--output", executed.toString())).isZero();

        assertThat(Notebook.in(executed))
                .extracting(Path::getFileName)
                .isEqualTo(
                        Notebook.in(notebooks).stream().map(Path::getFileName).toList());
        for (Path file : Notebook.in(executed)) {
            Notebook.read(file).assertExecuted();
        }
    }

    @Test
    void homeWithoutAStackIsRefused(@TempDir Path home) throws Exception {
        assertThat(run("--home", home.toString())).isEqualTo(1);
    }

    /** Runs it with its output on ours, line by line. */
    private int run(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(notebooks.resolve("run").toString()).redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("CORDWOOD_BUILD", "never");
        Process process = builder.start();
        process.getOutputStream().close();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(System.out::println);
        }
        return process.waitFor();
    }
}
