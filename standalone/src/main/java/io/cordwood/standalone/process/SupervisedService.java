package io.cordwood.standalone.process;

import io.cordwood.jvm.ClassArchive;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.process.ServiceStatus.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life cycle of one service: it is started, probed until it is ready, and restarted with back-off when its process
 * ends, until {@link #stop()}. {@link #run()} occupies its own thread; any thread may call the other methods.
 */
final class SupervisedService implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisedService.class);
    private static final long LARGE_LOG_BYTES = 32L << 20;
    private static final long POLL_MILLIS = 50;
    private static final Duration LONGEST_READY_LIMIT = Duration.ofMinutes(8);
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    /** A JVM writes its classes in 2 to 10 s, eight of them at once on a busy machine in longer. */
    private static final Duration ARCHIVE_LIMIT = Duration.ofMinutes(1);
    /** The exit code of a JVM that was asked to end, and did so: 128 and the signal. */
    private static final int TERMINATED = 128 + 15;
    /** Exit codes of a JVM that failed itself: SIGABRT, SIGBUS, SIGSEGV. */
    private static final Set<Integer> CRASHED = Set.of(128 + 6, 128 + 7, 128 + 11);

    private final ServiceSpec spec;
    private final Home home;
    private final Supervisor supervisor;
    private final PidFile pidFile;
    private final RestartDelay restartDelay;

    /**
     * How long a start may take. It doubles after each that took longer, so that a service becomes ready on a machine
     * that is too busy to start it in the usual time. Used only by the thread that runs this.
     */
    private Duration readyLimit;

    // Guarded by the supervisor's monitor, which is notified of every change.
    private Process process;
    private Optional<ClassArchive> classes = Optional.empty();
    private State state = State.WAITING;
    private boolean stopping;
    private boolean everPrepared;
    private boolean everReady;
    private long startedMillis;
    private long readyMillis;
    private int restarts;
    private String lastExit = "";

    SupervisedService(
            ServiceSpec spec, Home home, Supervisor supervisor, RestartDelay restartDelay, Duration readyLimit) {
        this.spec = spec;
        this.home = home;
        this.supervisor = supervisor;
        this.restartDelay = restartDelay;
        this.readyLimit = readyLimit;
        pidFile = new PidFile(home.run(), spec.name());
    }

    ServiceSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        try {
            while (awaitDependencies()) {
                long begun = System.nanoTime();
                String exit = runOnce();
                pidFile.delete();
                awaitNextStart(exit, restartDelay.after(Duration.ofNanos(System.nanoTime() - begun)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // The pid file is removed last, because it identifies a process that outlives its supervision.
            endProcess();
            pidFile.delete();
            synchronized (supervisor) {
                process = null;
                startedMillis = 0;
                change(State.STOPPED);
            }
        }
    }

    /**
     * Asks the process to end, kills it when its time is up, and returns when it has ended; it is not started again.
     */
    void stop() throws InterruptedException {
        Process running;
        Duration limit;
        synchronized (supervisor) {
            stopping = true;
            running = process;
            limit = stopLimit();
            if (state != State.STOPPED) {
                change(State.STOPPING);
            }
        }
        if (running != null && !ProcessStopper.stop(running.toHandle(), limit)) {
            LOG.warn("{} did not end within {} and was killed", spec.name(), limit);
        }
    }

    ServiceStatus status() {
        synchronized (supervisor) {
            return new ServiceStatus(
                    spec.name(),
                    state,
                    process == null ? 0 : process.pid(),
                    spec.endpoint(),
                    startedMillis,
                    readyMillis,
                    restarts,
                    lastExit);
        }
    }

    boolean everReady() {
        synchronized (supervisor) {
            return everReady;
        }
    }

    /** Whether its first start could not be prepared. A retry would not help. */
    boolean isUnpreparable() {
        synchronized (supervisor) {
            return !everPrepared && restarts > 0;
        }
    }

    private boolean awaitDependencies() throws InterruptedException {
        synchronized (supervisor) {
            while (!stopping && !supervisor.areReady(spec.dependencies())) {
                supervisor.wait();
            }
            return !stopping;
        }
    }

    /** Returns how the process ended. */
    private String runOnce() throws InterruptedException {
        try {
            ServiceSpec.Command command = spec.launch().prepare();
            synchronized (supervisor) {
                everPrepared = true;
            }
            long begun = System.nanoTime();
            Process started = start(command);
            if (started == null) {
                return "";
            }
            return awaitEnd(started, begun, command.classes());
        } catch (IOException | RuntimeException e) {
            // The service is retried after any error: only stop() ends its supervision.
            LOG.warn("{} could not be started", spec.name(), e);
            endProcess();
            return "could not be started: " + Errors.text(e);
        }
    }

    private String awaitEnd(Process started, long begun, Optional<ClassArchive> archive) throws InterruptedException {
        boolean becameReady = false;
        try {
            String failure = awaitReady(started, begun);
            becameReady = failure.isEmpty();
            if (!becameReady) {
                return failure;
            }
            started.waitFor();
            return exit(started);
        } finally {
            endProcess();
            if (archive.isPresent()) {
                end(archive.get(), started, becameReady);
            }
        }
    }

    /** What the process wrote is whole if it had loaded what it needs, and ended as it was asked to. */
    private void end(ClassArchive archive, Process process, boolean becameReady) {
        try {
            archive.end(becameReady && !process.isAlive() && process.exitValue() == TERMINATED);
            if (!process.isAlive() && CRASHED.contains(process.exitValue())) {
                // It may be the archive that the JVM could not bear
                archive.discard();
            }
        } catch (IOException e) {
            LOG.warn("cannot keep the classes of {} for its next start", spec.name(), e);
        }
    }

    /** How long the process may take to end on request. */
    private Duration stopLimit() {
        synchronized (supervisor) {
            return classes.filter(ClassArchive::isWritten).isPresent()
                    ? spec.stopLimit().plus(ARCHIVE_LIMIT)
                    : spec.stopLimit();
        }
    }

    /** Ends the process if it still runs, so that none runs unsupervised. */
    private void endProcess() {
        Process running;
        synchronized (supervisor) {
            running = process;
        }
        if (running == null || !running.isAlive()) {
            return;
        }
        try {
            ProcessStopper.stop(running.toHandle(), stopLimit());
        } catch (InterruptedException e) {
            running.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private Process start(ServiceSpec.Command command) throws IOException {
        Path log = home.log(spec.name());
        rotate(log);
        // The process gets its own session, so that a terminal's ^C reaches only the supervisor, which stops services
        // in order.
        List<String> arguments = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            arguments.add(SETSID.toString());
        }
        arguments.addAll(command.arguments());
        ProcessBuilder builder = new ProcessBuilder(arguments)
                .directory(home.directory().toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        synchronized (supervisor) {
            if (stopping) {
                return null;
            }
            process = builder.start();
            classes = command.classes();
            ProcessIdentity.of(process.pid()).ifPresent(pidFile::write);
            startedMillis = System.currentTimeMillis();
            change(State.STARTING);
            return process;
        }
    }

    /** Returns why the service did not become ready, empty if it did. */
    private String awaitReady(Process started, long begun) throws InterruptedException {
        while (!answers()) {
            if (started.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                return exit(started);
            }
            if (System.nanoTime() - begun > readyLimit.toNanos()) {
                ProcessStopper.stop(started.toHandle(), stopLimit());
                String failure = "not ready after " + readyLimit.toSeconds() + " s";
                readyLimit = longer(readyLimit);
                return failure;
            }
        }
        synchronized (supervisor) {
            if (!stopping) {
                readyMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
                everReady = true;
                change(State.READY);
            }
        }
        return "";
    }

    private static Duration longer(Duration limit) {
        Duration twice = limit.multipliedBy(2);
        return twice.compareTo(LONGEST_READY_LIMIT) < 0 ? twice : LONGEST_READY_LIMIT;
    }

    private boolean answers() throws InterruptedException {
        try {
            if (!spec.probe().isReady()) {
                return false;
            }
            spec.whenReady().run();
            return true;
        } catch (IOException | UncheckedIOException notYet) {
            LOG.debug("{} is not ready", spec.name(), notYet);
            return false;
        }
    }

    private void awaitNextStart(String exit, Duration delay) throws InterruptedException {
        long deadline = System.nanoTime() + delay.toNanos();
        synchronized (supervisor) {
            process = null;
            startedMillis = 0;
            if (stopping) {
                return;
            }
            restarts++;
            lastExit = exit;
            LOG.warn("{} ended ({}); starts again in {} s", spec.name(), exit, delay.toSeconds());
            change(State.BACKING_OFF);
            for (long left = delay.toMillis(); left > 0 && !stopping; ) {
                supervisor.wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
        }
    }

    private void change(State newState) {
        state = newState;
        supervisor.changed(status());
        supervisor.notifyAll();
    }

    private static void rotate(Path log) throws IOException {
        if (Files.exists(log) && Files.size(log) > LARGE_LOG_BYTES) {
            Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static String exit(Process ended) {
        int code = ended.exitValue();
        // The exit code as in shells: 128 plus the signal.
        return code > 128 ? "signal " + (code - 128) : "exit code " + code;
    }
}
