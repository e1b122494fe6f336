package io.cordwood.standalone.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsMainTest {
    @TempDir
    private Path directory;

    /** Prints its arguments, and lives until its input ends. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println(String.join(" ", arguments));
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** Fails. */
    static final class Failure {
        private Failure() {}

        public static void main(String[] arguments) {
            throw new IllegalStateException("no luck");
        }
    }

    private static Process start(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                MetricsMain.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private String exporter(int port) throws Exception {
        Path rules = Files.writeString(directory.resolve("rules.yml"), "rules: []\n");
        return "127.0.0.1:%d:%s".formatted(port, rules);
    }

    @Test
    void servesTheMetricsOfTheProgram() throws Exception {
        int port = freePort();
        Process process = start(exporter(port), Program.class.getName(), "--name", "value");
        try {
            assertThat(process.inputReader(UTF_8)
                            .lines()
                            .filter(line -> line.startsWith("--name"))
                            .findFirst())
                    .hasValue("--name value");
            HttpResponse<String> metrics = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(port)))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(metrics.statusCode()).isEqualTo(200);
            assertThat(metrics.body()).contains("jvm_memory_used_bytes");
            process.getOutputStream().close();
            assertThat(process.waitFor())
                    .as("the exporter does not keep it alive")
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void theProgramsFailureIsItsOwn() throws Exception {
        Process process = start(exporter(freePort()), Failure.class.getName());
        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .contains("java.lang.IllegalStateException: no luck");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    @Test
    void saysHowToUseIt() throws Exception {
        Process process = start("127.0.0.1:1:rules.yml");
        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .contains("usage: MetricsMain HOST:PORT:RULES MAIN_CLASS");
        assertThat(process.waitFor()).isEqualTo(2);
    }
}
