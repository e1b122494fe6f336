package io.cordwood.benchmarks.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JDK's tool {@code jcmd} for running JVMs of the same user. Stateless. */
public final class Jcmd {
    private static final String TOTAL = "Total";

    private Jcmd() {}

    /** Runs a command and returns its output. */
    public static String run(long pid, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                Long.toString(pid)));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("%s failed: %s".formatted(String.join(" ", command), output.strip()));
        }
        return output;
    }

    /** Size in bytes of the live objects on the heap of a JVM. */
    public static long liveBytes(long pid) throws IOException, InterruptedException {
        String total = run(pid, "GC.class_histogram")
                .lines()
                .filter(line -> line.startsWith(TOTAL))
                .findFirst()
                .orElseThrow(() -> new IOException("no histogram of the heap of process " + pid));
        return Long.parseLong(total.substring(total.lastIndexOf(' ') + 1));
    }
}
