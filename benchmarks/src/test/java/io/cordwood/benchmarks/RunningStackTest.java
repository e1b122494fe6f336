package io.cordwood.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a command line in the place of bin/cordwood that notes what it was asked, and starts nothing. */
final class RunningStackTest {
    @TempDir
    private Path root;

    @Test
    void killedBenchmarkStopsItsStack() throws Exception {
        Process benchmark = start("echo {} >\"$3/endpoints.json\"");
        try (BufferedReader output = benchmark.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).isEqualTo("up");
            benchmark.destroy();
            assertThat(benchmark.waitFor()).isEqualTo(143);
        }
        assertStoppedOnce();
    }

    @Test
    void benchmarkKilledDuringTheStartStopsItsStack() throws Exception {
        Process benchmark = start("echo >\"${0%/*}/begun\"; exec sleep 60");
        while (!Files.exists(root.resolve("bin/begun"))) {
            assertThat(benchmark.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        benchmark.destroy();
        assertThat(benchmark.waitFor()).isEqualTo(143);
        assertStoppedOnce();
    }

    private Process start(String up) throws IOException {
        Path script = Files.createDirectories(root.resolve("bin")).resolve("cordwood");
        Files.writeString(
                script, "#!/bin/sh\necho \"$1 $3\" >>\"${0%/*}/asked\"\n[ \"$1\" != up ] || { " + up + "\n}\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-Dcordwood.root=" + root,
                        "-Djava.io.tmpdir=" + root,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
    }

    private void assertStoppedOnce() throws IOException {
        List<String> asked = Files.readAllLines(root.resolve("bin/asked"));
        assertThat(asked).hasSize(2);
        String home = asked.getFirst().substring("up ".length());
        assertThat(asked).containsExactly("up " + home, "down " + home);
        assertThat(Path.of(home)).doesNotExist();
    }

    /** A benchmark that never ends by itself. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            try (RunningStack _ = RunningStack.start("logs", 1)) {
                System.out.println("up");
                Thread.currentThread().join();
            }
        }
    }
}
