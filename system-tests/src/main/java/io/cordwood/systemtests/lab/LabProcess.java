package io.cordwood.systemtests.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A service that the lab runs itself, in its own JVM. After a kill, the caller restarts it. */
final class LabProcess implements AutoCloseable {
    private final List<String> command;
    private final Path log;
    private Process process;

    private LabProcess(List<String> command, Path log) {
        this.command = command;
        this.log = log;
    }

    /**
     * Prepares a service.
     *
     * @param root the directory that holds this project, built
     * @param module the module of the process
     * @param javaOptions further options of the JVM
     */
    static LabProcess of(
            Path root,
            String module,
            String heap,
            List<String> javaOptions,
            Path log,
            String mainClass,
            List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-Duser.timezone=UTC",
                "-Dlog4j2.level=WARN",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath(root.resolve(module).resolve("target"))));
        command.addAll(javaOptions);
        command.add(mainClass);
        command.addAll(arguments);
        return new LabProcess(command, log);
    }

    private static String classPath(Path target) throws IOException {
        StringBuilder path = new StringBuilder(
                Files.readString(target.resolve("classpath.txt")).strip());
        try (Stream<Path> own = Files.list(target)) {
            own.filter(file -> file.toString().endsWith("-SNAPSHOT.jar"))
                    .forEach(jar -> path.append(':').append(jar));
        }
        return path.toString();
    }

    synchronized void start() throws IOException {
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Runs it to completion. @throws IOException if it fails */
    void run() throws IOException, InterruptedException {
        start();
        if (process.waitFor() != 0) {
            throw new IOException("%s failed: see %s".formatted(command.get(command.size() - 1), log));
        }
    }

    synchronized long pid() {
        return process.pid();
    }

    /** Kills it like kill -9. */
    synchronized void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public synchronized void close() {
        if (process != null) {
            process.destroy();
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
