package io.cordwood.standalone;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.StackFacts;
import io.cordwood.standalone.process.PidFile;
import io.cordwood.standalone.process.ProcessIdentity;
import io.cordwood.standalone.process.ServiceStatus;
import io.cordwood.standalone.process.Supervisor;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.service.Stack;
import io.cordwood.standalone.service.StackOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A stack that this process supervises, from locking its home to stopping cleanly. Thread-safe. */
final class RunningStack implements AutoCloseable {
    private static final Duration READY_LIMIT = Duration.ofMinutes(10);

    private final Home home;
    private final StackLock lock;
    private final Stack stack;
    private final Supervisor supervisor;
    private final PidFile pidFile;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RunningStack(Home home, StackLock lock, Stack stack, Consumer<ServiceStatus> listener) {
        this.home = home;
        this.lock = lock;
        this.stack = stack;
        supervisor = new Supervisor(home, stack.services(), listener);
        pidFile = new PidFile(home.run(), Supervisor.NAME);
    }

    /**
     * Starts the services of a home and returns at once.
     *
     * @param progress receives lines for the user
     * @throws CordwoodException if a stack already runs there, or cannot be started
     */
    static RunningStack start(
            Home home,
            Installation installation,
            StackOptions options,
            Consumer<String> progress,
            Consumer<ServiceStatus> listener)
            throws InterruptedException {
        home.create();
        Optional<StackLock> lock = StackLock.tryAcquire(home);
        if (lock.isEmpty()) {
            throw new CordwoodException("a stack already runs in %s%s: `bin/cordwood down` stops it"
                    .formatted(
                            home.directory(),
                            new PidFile(home.run(), Supervisor.NAME)
                                    .running()
                                    .map(process -> " (process " + process.pid() + ")")
                                    .orElse("")));
        }
        try {
            progress.accept("starting in " + home.directory());
            forget(home);
            prepare(home, options.secrets());
            List<String> orphans = Orphans.stop(home);
            if (!orphans.isEmpty()) {
                progress.accept(
                        "ended services that an earlier supervisor had left running: " + String.join(", ", orphans));
            }
            RunningStack running = new RunningStack(home, lock.get(), plan(home, installation, options), listener);
            StackFacts.of(
                            options.streams(),
                            options.secrets()
                                    .map(own -> own.kafkaProperties(Account.QUERY))
                                    .or(options::kafkaProperties),
                            options.streamOptions().defaultTenant(),
                            options.compaction())
                    .write(home);
            ProcessIdentity.of(ProcessHandle.current().pid()).ifPresent(running.pidFile::write);
            running.supervisor.start();
            return running;
        } catch (RuntimeException | InterruptedException e) {
            lock.get().close();
            throw e;
        }
    }

    private static Stack plan(Home home, Installation installation, StackOptions options) throws InterruptedException {
        try (StackLock _ = StackLock.tryAcquireSecrets(home)
                .orElseThrow(() ->
                        new CordwoodException("a rotation of secrets is under way in %s: start again when it has ended"
                                .formatted(home.directory())))) {
            return Stack.plan(home, installation, options);
        }
    }

    /** A home has authentication from its first start on, or never. */
    private static void prepare(Home home, Optional<Secrets> secrets) {
        if (secrets.isEmpty()) {
            if (Files.exists(home.secrets())) {
                throw new CordwoodException(
                        "%s is a home with authentication: give --auth".formatted(home.directory()));
            }
            return;
        }
        if (!Files.exists(home.secrets()) && Files.exists(home.data().resolve("kafka"))) {
            throw new CordwoodException(
                    "%s is a home without authentication, whose Kafka knows no users: give --home with another one"
                            .formatted(home.directory()));
        }
        try {
            Secrets.ownerOnly(home.directory());
        } catch (IOException e) {
            throw new CordwoodException("cannot close %s: %s".formatted(home.directory(), Errors.text(e)), e);
        }
    }

    /**
     * Returns when everything is ready and {@code endpoints.json} says so. @throws CordwoodException if a service does
     * not become ready
     */
    Endpoints awaitReady() throws InterruptedException {
        supervisor.awaitReady(READY_LIMIT);
        stack.endpoints().write(home);
        return stack.endpoints();
    }

    List<ServiceStatus> status() {
        return supervisor.status();
    }

    /** Stops everything in reverse order; a second call does nothing. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            forget(home);
            supervisor.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            pidFile.delete();
            lock.close();
        }
    }

    /** Removes the files that mark a stack as ready. The caller must hold the home's lock. */
    static void forget(Home home) {
        try {
            Files.deleteIfExists(home.endpoints());
        } catch (IOException e) {
            throw new CordwoodException("cannot remove %s: %s".formatted(home.endpoints(), Errors.text(e)), e);
        }
    }
}
