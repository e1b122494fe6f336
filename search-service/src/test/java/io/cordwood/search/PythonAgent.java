package io.cordwood.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The official Python client of the Model Context Protocol, in a virtual environment that is made once. */
final class PythonAgent {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FILES = "/io/cordwood/search/mcp/";

    private final Path environment = Path.of("target", "mcp-python").toAbsolutePath();

    /** Installs the client if it is not there yet. */
    PythonAgent() throws Exception {
        byte[] requirements = file("requirements.txt");
        Path installed = environment.resolve("installed.txt");
        if (!Files.exists(installed) || !Arrays.equals(requirements, Files.readAllBytes(installed))) {
            run("", "python3", "-m", "venv", environment.toString());
            Path wanted = Files.write(environment.resolve("requirements.txt"), requirements);
            run("", python(), "-m", "pip", "install", "--quiet", "-r", wanted.toString());
            Files.move(wanted, installed);
        }
        Files.write(environment.resolve("call_tools.py"), file("call_tools.py"));
    }

    private String python() {
        return environment.resolve("bin/python").toString();
    }

    private static byte[] file(String name) throws IOException {
        try (InputStream in = PythonAgent.class.getResourceAsStream(FILES + name)) {
            return in.readAllBytes();
        }
    }

    /** A call of a tool. */
    record Call(String tool, Map<String, Object> arguments) {}

    /** Connects, lists the tools, and calls some of them at once. */
    JsonNode session(URI service, List<Call> calls) throws Exception {
        ObjectNode task =
                JSON.createObjectNode().put("url", service.resolve("/mcp").toString());
        ArrayNode list = task.putArray("calls");
        calls.forEach(
                call -> list.addObject().put("tool", call.tool()).set("arguments", JSON.valueToTree(call.arguments())));
        return JSON.readTree(run(
                task.toString(), python(), environment.resolve("call_tools.py").toString()));
    }

    private static String run(String input, String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(false).start();
        try (var out = process.getOutputStream()) {
            out.write(input.getBytes(UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor())
                .as("%s: %s", String.join(" ", command), errors)
                .isZero();
        return output;
    }
}
