package io.cordwood.ingest.cluster;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A JVM of its own with the class path of the tests. Thread-safe.
 *
 * <p>It starts fast: it compiles with C1 only, and uses the classes that an earlier process left in an archive as it
 * ended, unless it was killed.
 */
final class JavaProcess implements AutoCloseable {
    private static final Path ARCHIVE = Path.of("target", "classes.jsa").toAbsolutePath();

    private final Process process;
    private final Path log;

    private JavaProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static JavaProcess start(Path log, String heap, String mainClass, List<String> arguments) throws IOException {
        // Directories keep classes from being shared. That of the tests has only the configuration of the log.
        Path tests = testClasses();
        List<String> classPath = Stream.of(
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                                .split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).equals(tests))
                .toList();
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
                "-XX:+AutoCreateSharedArchive",
                "-XX:SharedArchiveFile=" + ARCHIVE,
                "-cp",
                String.join(File.pathSeparator, classPath),
                mainClass));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new JavaProcess(process, log);
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
    void terminate() throws InterruptedException {
        process.destroy();
        await();
    }

    /** Ends it at the end of a test, whichever way. */
    void end() throws InterruptedException {
        try {
            if (!Files.exists(ARCHIVE)) {
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
