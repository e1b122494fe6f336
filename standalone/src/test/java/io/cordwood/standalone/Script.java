package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** A program of the project that starts stacks of its own, run with its output on ours, line by line. */
final class Script {
    private static final int LAST_LINES = 60;

    private Script() {}

    /** How it ended, and the end of what it printed: why it failed, for a report that shows nothing else. */
    record Outcome(int code, String lastLines) {
        void assertCode(int expected) {
            assertThat(code).as("exit code after:%n%s", lastLines).isEqualTo(expected);
        }
    }

    /**
     * Runs it to its end.
     *
     * @param environment variables besides ours
     */
    static Outcome run(List<String> command, Map<String, String> environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("CORDWOOD_BUILD", "never");
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        // A test run that is ended early ends it too, and it stops its stack.
        Thread end = new Thread(() -> process.destroy(), "end " + command.getFirst());
        Runtime.getRuntime().addShutdownHook(end);
        Deque<String> last = new ArrayDeque<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(line);
                last.addLast(line);
                if (last.size() > LAST_LINES) {
                    last.removeFirst();
                }
            }
        }
        int code = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        return new Outcome(code, String.join("\n", last));
    }
}
