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

/** A second instance of the job, with the command line of the first. For one thread. */
public final class SecondInstance implements AutoCloseable {
    /** Its first argument is the exporter's; the main class of the job follows. */
    private static final String METRICS_MAIN = "io.cordwood.standalone.metrics.MetricsMain";

    private final List<String> command;
    private final Path directory;
    private final Breakpoints breakpoints;
    private Process process;

    /** Prepares it while the first one runs. */
    public SecondInstance(Lab lab, boolean sameCheckpoints) throws IOException {
        command = new ArrayList<>(Arrays.asList(
                Files.readString(Path.of("/proc", Long.toString(lab.pid(Component.FLINK)), "cmdline"))
                        .split("\0", -1)));
        command.removeLast();
        // The first one already uses the metrics port, and writes its classes
        int metrics = command.indexOf(METRICS_MAIN);
        if (metrics < 0) {
            throw new IllegalStateException("the first instance does not start by " + METRICS_MAIN);
        }
        command.subList(metrics, metrics + 2).clear();
        command.removeIf(argument -> argument.startsWith("-XX:ArchiveClassesAtExit="));
        directory = Files.createTempDirectory(lab.directory(), "second");
        breakpoints = new Breakpoints(Files.createDirectory(directory.resolve("breakpoints")));
        command.replaceAll(argument -> argument.replace(
                lab.breakpoints().directory().toString(),
                breakpoints.directory().toString()));
        set("--rest-port", Integer.toString(Lab.freePort()));
        set("--work-dir", directory.toString());
        if (!sameCheckpoints) {
            set("--checkpoint-dir", directory.resolve("checkpoints").toUri().toString());
        }
    }

    /** Replaces the value of an option. @throws IllegalStateException if the first instance has no such option */
    private void set(String option, String value) {
        int index = command.indexOf(option);
        if (index < 0) {
            throw new IllegalStateException("the command of the first instance has no option " + option);
        }
        command.set(index + 1, value);
    }

    public void start() throws IOException {
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
    }

    public Path log() {
        return directory.resolve("flink.log");
    }

    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    public Breakpoints breakpoints() {
        return breakpoints;
    }

    /** Kills it like kill -9. */
    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }
}
