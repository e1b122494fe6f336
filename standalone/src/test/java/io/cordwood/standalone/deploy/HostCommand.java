package io.cordwood.standalone.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Commands of this machine that have to work. */
final class HostCommand {
    private HostCommand() {}

    /** @throws IOException with what the command printed, if it failed */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("%s failed: %s".formatted(String.join(" ", command), output));
        }
    }
}
