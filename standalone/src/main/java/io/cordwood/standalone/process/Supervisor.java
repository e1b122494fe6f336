package io.cordwood.standalone.process;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.process.ServiceStatus.State;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs services as processes. It starts each when its dependencies are ready, restarts it with back-off when it dies,
 * and stops all in reverse order. It keeps {@code run/status.json} and the pid files up to date. Thread-safe; its
 * monitor guards the state of all its services.
 */
public final class Supervisor {
    /** The name of the file with its process id. */
    public static final String NAME = "supervisor";

    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);
    private static final Duration STABLE = Duration.ofMinutes(1);
    private static final Duration READY_LIMIT = Duration.ofMinutes(2);
    private static final int LAST_WORDS_BYTES = 2_000;
    private static final int STARTS_BEFORE_GIVING_UP = 3;

    private final Map<String, SupervisedService> services = new LinkedHashMap<>();
    private final Map<SupervisedService, Thread> threads = new HashMap<>();
    private final Home home;
    private final Consumer<ServiceStatus> listener;

    /**
     * @param specs the services to run, each after its dependencies
     * @param listener receives every change of a service's state on the thread that made it; must not block
     */
    public Supervisor(Home home, List<ServiceSpec> specs, Consumer<ServiceStatus> listener) {
        this(home, specs, listener, READY_LIMIT);
    }

    Supervisor(Home home, List<ServiceSpec> specs, Consumer<ServiceStatus> listener, Duration readyLimit) {
        this.home = home;
        this.listener = listener;
        for (ServiceSpec spec : specs) {
            if (!services.keySet().containsAll(spec.dependencies())) {
                throw new IllegalArgumentException(spec.name() + " is listed before its dependencies");
            }
            RestartDelay restartDelay = new RestartDelay(FIRST_DELAY, LONGEST_DELAY, STABLE);
            services.put(spec.name(), new SupervisedService(spec, home, this, restartDelay, readyLimit));
        }
    }

    /** Starts all services and returns at once. */
    public synchronized void start() {
        for (SupervisedService service : services.values()) {
            threads.put(
                    service,
                    Thread.ofPlatform()
                            .name("supervise-" + service.spec().name())
                            .start(service));
        }
    }

    /**
     * Returns when every service has been ready once.
     *
     * @throws CordwoodException if a service cannot be prepared, has died several times before it was ever ready, or
     *     time is up
     */
    public synchronized void awaitReady(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!services.values().stream().allMatch(SupervisedService::everReady)) {
            Optional<ServiceStatus> unpreparable = services.values().stream()
                    .filter(SupervisedService::isUnpreparable)
                    .map(SupervisedService::status)
                    .findFirst();
            if (unpreparable.isPresent()) {
                throw new CordwoodException(
                        unpreparable.get().name() + " " + unpreparable.get().lastExit());
            }
            Optional<ServiceStatus> hopeless = services.values().stream()
                    .filter(service -> !service.everReady())
                    .map(SupervisedService::status)
                    .filter(status -> status.restarts() >= STARTS_BEFORE_GIVING_UP)
                    .findFirst();
            if (hopeless.isPresent()) {
                ServiceStatus status = hopeless.get();
                throw new CordwoodException("%s does not start (%s)%s; see %s"
                        .formatted(
                                status.name(),
                                status.lastExit(),
                                lastWords(home.log(status.name())),
                                home.log(status.name())));
            }
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new CordwoodException(
                        "not ready after %d s: %s; see %s".formatted(limit.toSeconds(), unready(), home.logs()));
            }
            wait(left);
        }
    }

    /** Stops all services, each after its dependants, and returns when all have ended. */
    public void stop() throws InterruptedException {
        List<SupervisedService> left = new ArrayList<>(services.values());
        while (!left.isEmpty()) {
            List<SupervisedService> free = left.stream()
                    .filter(service -> left.stream()
                            .noneMatch(other -> other.spec()
                                    .dependencies()
                                    .contains(service.spec().name())))
                    .toList();
            List<Thread> stoppers = free.stream()
                    .map(service -> Thread.ofPlatform().start(() -> stop(service)))
                    .toList();
            for (Thread stopper : stoppers) {
                stopper.join();
            }
            // A service is stopped when its own thread has said so, which is a moment after its process has ended.
            for (SupervisedService service : free) {
                join(service);
            }
            left.removeAll(free);
        }
    }

    /** The states of all services, in start order. */
    public synchronized List<ServiceStatus> status() {
        return services.values().stream().map(SupervisedService::status).toList();
    }

    synchronized boolean areReady(Set<String> names) {
        return names.stream().allMatch(name -> services.get(name).status().state() == State.READY);
    }

    synchronized void changed(ServiceStatus change) {
        try {
            new StatusFile(status()).write(home.statusFile());
        } catch (UncheckedIOException e) {
            // A full disk must not end the supervision.
            LOG.warn("cannot write {}", home.statusFile(), e);
        }
        listener.accept(change);
    }

    /** The last line of a log, which usually tells why a process ended. */
    private static String lastWords(Path log) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.max(0, file.length() - LAST_WORDS_BYTES));
            byte[] end = new byte[LAST_WORDS_BYTES];
            int length = Math.max(0, file.read(end));
            return new String(end, 0, length, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .reduce((earlier, later) -> later)
                    .map(line -> ": " + line.strip())
                    .orElse("");
        } catch (IOException noLog) {
            return "";
        }
    }

    private void join(SupervisedService service) throws InterruptedException {
        Thread thread;
        synchronized (this) {
            thread = threads.get(service);
        }
        if (thread != null) {
            thread.join();
        }
    }

    private static void stop(SupervisedService service) {
        try {
            service.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String unready() {
        return String.join(
                ", ",
                services.values().stream()
                        .filter(service -> !service.everReady())
                        .map(service -> service.spec().name() + " "
                                + service.status().state().name().toLowerCase(Locale.ROOT))
                        .toList());
    }
}
