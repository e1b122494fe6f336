package io.cordwood.ingest.cluster;

import io.cordwood.jvm.ClassArchive;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JVM of its own with the class path of the tests. Thread-safe.
 *
 * <p>It starts fast: it compiles with C1 only, and shares classes with those after it.
 */
final class JavaProcess implements AutoCloseable {
    private static final Path ARCHIVES =
            Path.of("target", "test-class-archives").toAbsolutePath();

    private final Process process;
    private final Path log;
    private final ClassArchive classes;

    private JavaProcess(Process process, Path log, ClassArchive classes) {
        this.process = process;
        this.log = log;
        this.classes = classes;
    }

    static JavaProcess start(Path log, String heap, String mainClass, List<String> arguments) throws IOException {
        // Directories keep classes from being shared. That of the tests has only the configuration of the log.
        Path tests = testClasses();
        String classPath = Stream.of(
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                                .split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).equals(tests))
                .collect(Collectors.joining(File.pathSeparator));
        ClassArchive classes =
                ClassArchive.of(ARCHIVES, "job", classPath, List.of()).orElseThrow();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Duser.timezone=UTC",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dlog4j2.configurationFile=" + tests.resolve("log4j2-test.properties"),
                "-cp",
                classPath,
                mainClass));
        command.addAll(1, classes.options());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new JavaProcess(process, log, classes);
    }

    private static Path testClasses() {
        try {
            return Path.of(JavaProcess.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
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
    void terminate() throws InterruptedException, IOException {
        // One that ended by itself may have ended early, with few classes
        boolean ran = process.isAlive();
        process.destroy();
        await();
        classes.end(ran);
    }

    /** Ends it at the end of a test, whichever way. */
    void end() throws InterruptedException, IOException {
        try {
            if (classes.isWritten()) {
                terminate();
            }
        } finally {
            kill();
        }
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
