package io.cordwood.gateway.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** The official Python clients of Elasticsearch and OpenSearch, in a virtual environment that is made once. */
final class PythonClients {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path environment = Path.of("target", "elastic-python").toAbsolutePath();

    /** Installs the clients if they are not there yet. */
    PythonClients() throws Exception {
        byte[] requirements = file("requirements.txt");
        Path installed = environment.resolve("installed.txt");
        if (!Files.exists(installed) || !Arrays.equals(requirements, Files.readAllBytes(installed))) {
            run("", "python3", "-m", "venv", environment.toString());
            Path wanted = Files.write(environment.resolve("requirements.txt"), requirements);
            run("", python(), "-m", "pip", "install", "--quiet", "-r", wanted.toString());
            Files.move(wanted, installed);
        }
        Files.write(environment.resolve("ship.py"), file("ship.py"));
    }

    private String python() {
        return environment.resolve("bin/python").toString();
    }

    private static byte[] file(String name) throws IOException {
        try (InputStream in = PythonClients.class.getResourceAsStream("/io/cordwood/gateway/elastic/" + name)) {
            return in.readAllBytes();
        }
    }

    /** Ships documents, and returns what the client says of them. */
    JsonNode ship(Map<String, Object> task) throws Exception {
        return JSON.readTree(run(
                JSON.writeValueAsString(task),
                python(),
                environment.resolve("ship.py").toString()));
    }

    private static String run(String input, String... command) throws Exception {
        Path errors = Files.createTempFile("python", ".err");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        try (var out = process.getOutputStream()) {
            out.write(input.getBytes(UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor())
                .as("%s: %s", String.join(" ", command), Files.readString(errors))
                .isZero();
        Files.delete(errors);
        return output;
    }
}
