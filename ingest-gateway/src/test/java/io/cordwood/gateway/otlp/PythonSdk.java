package io.cordwood.gateway.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** OpenTelemetry's SDK for Python, in a virtual environment that is made once. */
final class PythonSdk {
    private static final String FILES = "/io/cordwood/gateway/otlp/";

    private final Path environment = Path.of("target", "otlp-python").toAbsolutePath();

    /** Installs the SDK if it is not there yet. */
    PythonSdk() throws Exception {
        byte[] requirements = file("requirements.txt");
        Path installed = environment.resolve("installed.txt");
        if (!Files.exists(installed) || !Arrays.equals(requirements, Files.readAllBytes(installed))) {
            run("python3", "-m", "venv", environment.toString());
            Path wanted = Files.write(environment.resolve("requirements.txt"), requirements);
            run(python(), "-m", "pip", "install", "--quiet", "-r", wanted.toString());
            Files.move(wanted, installed);
        }
        Files.write(environment.resolve("send_logs.py"), file("send_logs.py"));
    }

    private String python() {
        return environment.resolve("bin/python").toString();
    }

    private static byte[] file(String name) throws IOException {
        try (InputStream in = PythonSdk.class.getResourceAsStream(FILES + name)) {
            return in.readAllBytes();
        }
    }

    /**
     * Logs rows and waits until they are exported.
     *
     * @param protocol {@code http} or {@code grpc}
     */
    void log(String protocol, String endpoint, String tenant, int rows) throws Exception {
        run(
                python(),
                environment.resolve("send_logs.py").toString(),
                protocol,
                endpoint,
                tenant,
                Integer.toString(rows));
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor())
                .as("%s: %s", String.join(" ", command), output)
                .isZero();
    }
}
