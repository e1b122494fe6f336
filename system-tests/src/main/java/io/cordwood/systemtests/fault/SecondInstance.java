package io.cordwood.systemtests.fault;

import io.cordwood.systemtests.lab.Breakpoints;
import io.cordwood.systemtests.lab.Component;
import io.cordwood.systemtests.lab.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The same job once more, by the command line of the first. Used by one thread. */
public final class SecondInstance implements AutoCloseable {
    private final List<String> command;
    private final Path directory;
    private final Breakpoints holds;
    private Process process;

    /** Prepares it, while the first runs. */
    public SecondInstance(Lab lab, boolean sameCheckpoints) throws IOException {
        command = new ArrayList<>(Arrays.asList(
                Files.readString(Path.of("/proc", Long.toString(lab.pid(Component.FLINK)), "cmdline"))
                        .split("\0", -1)));
        command.removeLast();
        // The port that the first one's metrics are read from is taken
        command.removeIf(argument -> argument.contains("jmx_prometheus_javaagent"));
        directory = Files.createTempDirectory(lab.directory(), "second");
        holds = new Breakpoints(Files.createDirectory(directory.resolve("holds")));
        command.replaceAll(argument -> argument.replace(
                lab.holds().directory().toString(), holds.directory().toString()));
        set("--rest-port", Integer.toString(Lab.freePort()));
        set("--work-dir", directory.toString());
        if (!sameCheckpoints) {
            set("--checkpoint-dir", directory.resolve("checkpoints").toUri().toString());
        }
    }

    private void set(String option, String value) {
        command.set(command.indexOf(option) + 1, value);
    }

    public void start() throws IOException {
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("flink.log").toFile())
                .start();
    }

    public Breakpoints holds() {
        return holds;
    }

    /** As kill -9 does. */
    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }
}
