package io.cordwood.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The loggers pino and winston of Node.js and their transports, in a directory that npm fills once. */
final class NodeLoggers {
    private final Path directory = Path.of("target", "node-loggers").toAbsolutePath();

    /** Installs them if they are not there yet. */
    NodeLoggers() throws Exception {
        Files.createDirectories(directory);
        byte[] lock = file("package-lock.json");
        Path installed = directory.resolve("installed.json");
        if (!Files.exists(installed) || !Arrays.equals(lock, Files.readAllBytes(installed))) {
            Files.write(directory.resolve("package.json"), file("package.json"));
            Files.write(directory.resolve("package-lock.json"), lock);
            run(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
            Files.write(installed, lock);
        }
        Files.write(directory.resolve("log.mjs"), file("log.mjs"));
    }

    private static byte[] file(String name) throws IOException {
        try (InputStream in = NodeLoggers.class.getResourceAsStream("/io/cordwood/gateway/node/" + name)) {
            return in.readAllBytes();
        }
    }

    /**
     * Logs rows, and waits until they are sent.
     *
     * @param client name of the transport
     */
    void log(String client, URI address, String tenant, int rows) throws Exception {
        String origin = address.getScheme() + "://" + address.getAuthority();
        run(List.of("node", "log.mjs", client, origin, tenant, Integer.toString(rows)));
    }

    private void run(List<String> command) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("no node and npm on PATH: install Node.js 20", e);
        }
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor())
                .as("%s: %s", String.join(" ", command), output)
                .isZero();
    }
}
