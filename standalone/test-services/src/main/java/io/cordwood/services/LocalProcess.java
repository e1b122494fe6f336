package io.cordwood.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A service that is a process of this machine, with its child processes. It has its own home directory. */
final class LocalProcess extends Service {
    private static final String HOST = "127.0.0.1";
    private static final long TIMEOUT_SECONDS = 10;
    private static final Set<LocalProcess> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        // A test run that is ended early leaves nothing running.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(LocalProcess::kill), "kill services"));
    }

    private final boolean cleansUp;
    private final Optional<Path> archive;
    private final List<String> command;
    private final Path home;
    private volatile Process process;

    private LocalProcess(Protocol protocol, int port, List<String> command, Path home, Optional<Path> archive)
            throws IOException {
        super(protocol, HOST, port);
        // Killed, it leaves shared memory behind.
        this.cleansUp = protocol == Protocol.POSTGRESQL;
        this.archive = archive;
        this.command = List.copyOf(command);
        this.home = home;
        this.process = fork();
        RUNNING.add(this);
    }

    /** Starts it and returns when it answers. */
    static LocalProcess start(Protocol protocol, int port, List<String> command, Path home)
            throws IOException, InterruptedException {
        return start(protocol, port, command, home, Optional.empty());
    }

    /**
     * Starts a JVM as {@link #start(Protocol, int, List, Path)} does.
     *
     * @param archive where it shares classes with others like it; if nothing is there, it writes them as it ends
     */
    static LocalProcess start(Protocol protocol, int port, List<String> command, Path home, Optional<Path> archive)
            throws IOException, InterruptedException {
        LocalProcess service = new LocalProcess(protocol, port, command, home, archive);
        try {
            service.awaitAnswer();
            return service;
        } catch (IOException | InterruptedException | RuntimeException e) {
            service.close();
            throw e;
        }
    }

    private Process fork() throws IOException {
        return new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                .start();
    }

    private Path logFile() {
        return home.resolve("log");
    }

    @Override
    public void kill() {
        List<ProcessHandle> family = family();
        family.forEach(ProcessHandle::destroyForcibly);
        // Its handle may tell of the end before the process itself, which is asked whether it runs.
        Stream<CompletableFuture<?>> ends =
                Stream.concat(Stream.of(process.onExit()), family.stream().map(ProcessHandle::onExit));
        // Without a reaper of orphans, they seem to stay alive.
        CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private List<ProcessHandle> family() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
    }

    @Override
    void startAgain() throws IOException {
        process = fork();
    }

    @Override
    public void suspend() throws IOException, InterruptedException {
        signal("STOP");
    }

    @Override
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        if (!isRunning()) {
            throw new IllegalStateException(address() + " does not run");
        }
        List<String> kill = new ArrayList<>(List.of("kill", "-" + name));
        family().forEach(member -> kill.add(Long.toString(member.pid())));
        // It fails for a child that has ended meanwhile, and signals the others all the same.
        new ProcessBuilder(kill)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Override
    public String log() throws IOException {
        return Files.readString(logFile());
    }

    @Override
    boolean isRunning() {
        return process.isAlive();
    }

    private void end(String signal) throws IOException {
        try {
            resume();
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        // Most are killed at once
        if (cleansUp && isRunning()) {
            end("INT");
        } else if (archive.filter(file -> !Files.exists(file)).isPresent() && isRunning()) {
            // A JVM ignores an interrupt where a shell started the tests in the background
            end("TERM");
        }
        kill();
        RUNNING.remove(this);
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
