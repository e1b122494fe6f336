package io.cordwood.services;

import io.cordwood.jvm.ClassArchive;
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
    /** For the end of a JVM that writes its classes. */
    private static final long WRITING_SECONDS = 60;

    private static final Set<LocalProcess> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        // A test run that is ended early leaves nothing running.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(LocalProcess::kill), "kill services"));
    }

    private final boolean cleansUp;
    private final Optional<ClassArchive> classes;
    private final List<String> command;
    private final Path home;
    private volatile Process process;

    private LocalProcess(Protocol protocol, int port, List<String> command, Path home, Optional<ClassArchive> classes)
            throws IOException {
        super(protocol, HOST, port);
        // Killed, it leaves shared memory behind.
        this.cleansUp = protocol == Protocol.POSTGRESQL;
        this.classes = classes;
        List<String> all = new ArrayList<>(command);
        classes.ifPresent(archive -> all.addAll(1, archive.options()));
        this.command = List.copyOf(all);
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
     * Starts it as {@link #start(Protocol, int, List, Path)} does.
     *
     * @param classes what a JVM, the first argument of the command, shares with others like it
     */
    static LocalProcess start(
            Protocol protocol, int port, List<String> command, Path home, Optional<ClassArchive> classes)
            throws IOException, InterruptedException {
        LocalProcess service = new LocalProcess(protocol, port, command, home, classes);
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

    /** Whether it ended by itself. */
    private boolean end(String signal, long seconds) throws IOException {
        try {
            resume();
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        // Most are killed at once
        boolean hasClasses = false;
        if (cleansUp && isRunning()) {
            end("INT", TIMEOUT_SECONDS);
        } else if (classes.filter(ClassArchive::isWritten).isPresent() && isRunning()) {
            // A JVM ignores an interrupt where a shell started the tests in the background
            hasClasses = end("TERM", WRITING_SECONDS);
        }
        kill();
        RUNNING.remove(this);
        if (classes.isPresent()) {
            classes.get().end(hasClasses);
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
