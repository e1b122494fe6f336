package io.cordwood.benchmarks.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.services.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a command line in the place of bin/cordwood that notes what it was asked, and starts nothing but a sleep. */
final class RunningStackTest {
    private static final String READY = "mkdir -p \"$3\"; echo {} >\"$3/endpoints.json\"; ";
    private static final String SERVICE = "sleep 60 & echo $! >\"${0%/*}/service\"; wait";

    @TempDir
    private Path root;

    @Test
    void killedBenchmarkEndsItsStackAndItsServices() throws Exception {
        Process benchmark = start(READY + SERVICE);
        try (BufferedReader output = benchmark.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).isEqualTo("up");
            kill(benchmark);
        }
        assertThat(asked()).hasSize(1);
        assertNothingLeft();
    }

    @Test
    void benchmarkKilledDuringTheStartEndsItsStack() throws Exception {
        Process benchmark = start(SERVICE);
        Waiting.until("the service starts", () -> {
            assertThat(benchmark.isAlive()).isTrue();
            return Files.exists(root.resolve("bin/service"));
        });
        kill(benchmark);
        assertNothingLeft();
    }

    @Test
    void servicesThatOutlivedTheirSupervisorAreTakenDown() throws Exception {
        Process benchmark = start("mkdir -p \"$3/run\"; touch \"$3/run/kafka.pid\"; " + READY + "exec sleep 60");
        try (BufferedReader output = benchmark.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).isEqualTo("up");
            kill(benchmark);
        }
        String home = asked().getFirst().substring("up ".length());
        assertThat(asked()).containsExactly("up " + home, "down " + home);
    }

    @Test
    void stackThatDoesNotStartIsReportedWithItsLastWords() throws Exception {
        Process benchmark = start("echo 'cordwood up: the disk is full'; exit 1");
        try (BufferedReader output = benchmark.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readAllAsString()).contains("did not start: cordwood up: the disk is full");
        }
        assertThat(benchmark.waitFor()).isEqualTo(1);
        assertNothingLeft();
    }

    private static void kill(Process benchmark) throws InterruptedException {
        benchmark.destroy();
        assertThat(benchmark.waitFor()).isEqualTo(143);
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

    private List<String> asked() throws IOException {
        return Files.readAllLines(root.resolve("bin/asked"));
    }

    private void assertNothingLeft() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("cordwood-bench")))
                    .isEmpty();
        }
        Path service = root.resolve("bin/service");
        if (Files.exists(service)) {
            long pid = Long.parseLong(Files.readString(service).strip());
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        }
    }

    /** A benchmark that never ends by itself. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            try (Scratch scratch = Scratch.create()) {
                RunningStack.start(scratch, "logs", 1).awaitReady();
                System.out.println("up");
                Thread.currentThread().join();
            }
        }
    }
}
