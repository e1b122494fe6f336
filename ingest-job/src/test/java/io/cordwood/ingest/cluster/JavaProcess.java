package io.cordwood.ingest.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own with the class path of the tests. Thread-safe. */
final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final Path log;

    private JavaProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static JavaProcess start(Path log, String heap, String mainClass, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-Duser.timezone=UTC",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dlog4j2.level=WARN",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                mainClass));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new JavaProcess(process, log);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Exit code, once it has ended. */
    int await() throws InterruptedException {
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException("Still running: " + log);
        }
        return process.exitValue();
    }

    /** As kill -9 does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** As kill does. */
    void terminate() throws InterruptedException {
        process.destroy();
        await();
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
