package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** The built command line, run as a process of its own, as bin/cordwood runs it. Thread-safe. */
public final class Program {
    private final Path root;
    private final Path home;
    private final Map<String, String> environment;
    /** Whether the root is an unpacked release, whose own script runs it. */
    private final boolean released;

    private final AtomicBoolean endsWithUs = new AtomicBoolean();

    /** What a command printed and how it ended. */
    public record Outcome(int code, String out, String err) {
        /** What the command printed, which must have succeeded. */
        String ok(String... command) {
            assertThat(code).as("%s: %s", List.of(command), err).isZero();
            return out;
        }
    }

    public Program(Path home) {
        this(home, Map.of());
    }

    /** @param environment variables that commands get besides ours */
    public Program(Path home, Map<String, String> environment) {
        this(root(), false, home, environment);
    }

    private Program(Path root, boolean released, Path home, Map<String, String> environment) {
        this.root = root;
        this.released = released;
        this.home = home;
        this.environment = Map.copyOf(environment);
    }

    /** The command line of an unpacked release. {@link #call} is not of it. */
    static Program ofRelease(Path release, Path home) {
        return new Program(release, true, home, Map.of());
    }

    /** Runs a command on the home and waits for its end. */
    public Outcome run(String... command) throws IOException, InterruptedException {
        Process process = start(command);
        process.getOutputStream().close();
        CompletableFuture<String> err = CompletableFuture.supplyAsync(() ->
                process.errorReader(StandardCharsets.UTF_8).lines().reduce("", (text, line) -> text + line + "\n"));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), out, err.join());
    }

    /** Runs a command as {@link #run}, which must succeed, and returns what it printed. */
    public String ok(String... command) throws IOException, InterruptedException {
        return run(command).ok(command);
    }

    /** Runs a command as {@link #call}, which must succeed, and returns what it printed. */
    public String callOk(String... command) {
        return call(command).ok(command);
    }

    /**
     * Runs a command on the home in this process, with its environment: as {@link #run}, without the second that a JVM
     * takes to start.
     */
    public Outcome call(String... command) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--home", home.toString()));
        int code =
                Cordwood.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments.toArray(String[]::new));
        return new Outcome(code, out.toString(), err.toString());
    }

    /** Starts a command on the home. */
    public Process start(String... command) throws IOException {
        if (command[0].equals("up") && endsWithUs.compareAndSet(false, true)) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::downIfUp, "down"));
        }
        List<String> arguments =
                new ArrayList<>(released ? List.of(root.resolve("bin/cordwood").toString()) : built());
        arguments.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(arguments);
        builder.environment().put("CORDWOOD_HOME", home.toString());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** What bin/cordwood runs here. */
    private List<String> built() throws IOException {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Duser.timezone=UTC",
                "-Dcordwood.root=" + root,
                "-cp",
                classPath(),
                Cordwood.class.getName());
    }

    /** A test run that is ended early leaves no stack running. */
    private void downIfUp() {
        if (Files.exists(home.resolve("run"))) {
            try {
                run("down");
            } catch (IOException | InterruptedException e) {
                System.err.printf("cannot stop the stack in %s: %s%n", home, e);
            }
        }
    }

    private String classPath() throws IOException {
        Path target = root.resolve("standalone/target");
        try (Stream<Path> files = Files.list(target)) {
            Path jar = files.filter(file -> file.getFileName().toString().matches("standalone-.*\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("package standalone first"));
            return jar
                    + File.pathSeparator
                    + Files.readString(target.resolve("classpath.txt")).strip();
        }
    }

    /** The directory that holds the project. */
    public static Path root() {
        return root(Path.of("").toAbsolutePath());
    }

    private static Path root(Path directory) {
        return Files.exists(directory.resolve("mvnw")) ? directory : root(directory.getParent());
    }
}
