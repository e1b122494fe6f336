package io.cordwood.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A program of the project that starts stacks of its own, run with its output on ours, line by line. */
final class Script {
    private Script() {}

    /**
     * Runs it to its end and returns its exit code.
     *
     * @param environment variables besides ours
     */
    static int run(List<String> command, Map<String, String> environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("CORDWOOD_BUILD", "never");
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        // A test run that is ended early ends it too, and it stops its stack.
        Thread end = new Thread(() -> process.destroy(), "end " + command.getFirst());
        Runtime.getRuntime().addShutdownHook(end);
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(System.out::println);
        }
        int code = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        return code;
    }
}
