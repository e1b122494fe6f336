package io.cordwood.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.jvm.ClassArchive;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.process.ServiceStatus.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SupervisorTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private final List<String> becameReady = Collections.synchronizedList(new ArrayList<>());
    private final List<String> ended = Collections.synchronizedList(new ArrayList<>());
    private final BlockingQueue<ServiceStatus> changes = new LinkedBlockingQueue<>();
    private Home home;
    private Supervisor supervisor;

    @BeforeEach
    void makeHome() {
        home = new Home(directory);
        home.create();
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (supervisor != null) {
            supervisor.stop();
        }
    }

    @Test
    void startsInOrderOfDependenciesAndStopsInReverse() throws Exception {
        start(sleeper("kafka"), sleeper("flink", "kafka"));
        supervisor.awaitReady(TIMEOUT);
        assertThat(becameReady).containsExactly("kafka", "flink");
        assertThat(home.run().resolve("flink.pid")).exists();

        supervisor.stop();

        assertThat(ended).containsExactly("flink", "kafka");
        assertThat(home.run().resolve("flink.pid")).doesNotExist();
        assertThat(StatusFile.read(home.statusFile()).orElseThrow().services())
                .extracting(ServiceStatus::state)
                .containsOnly(State.STOPPED);
    }

    @Test
    void startsAKilledProcessAgain() throws Exception {
        start(sleeper("redis"));
        supervisor.awaitReady(TIMEOUT);
        ProcessHandle first = new PidFile(home.run(), "redis").running().orElseThrow();

        first.destroyForcibly();

        assertThat(awaitState(State.BACKING_OFF).lastExit()).isEqualTo("signal 9");
        ServiceStatus again = awaitState(State.READY);
        assertThat(again.restarts()).isEqualTo(1);
        assertThat(again.pid()).isNotEqualTo(first.pid());
        assertThat(home.run().resolve("redis.pid")).hasContent(Long.toString(again.pid()));
    }

    @Test
    void givesUpOnWhatNeverStarts() {
        start(service("broken", Set.of(), List.of("sh", "-c", "echo no luck; exit 3"), () -> false));

        assertThatThrownBy(() -> supervisor.awaitReady(TIMEOUT))
                .isInstanceOf(CordwoodException.class)
                .hasMessage("broken does not start (exit code 3): no luck; see " + home.log("broken"));
        assertThat(home.log("broken")).content().startsWith("no luck\nno luck\n");
    }

    @Test
    void givesASlowStartMoreTimeAfterEachThatTookTooLong() throws Exception {
        Path started = directory.resolve("started");
        List<String> command = List.of("sh", "-c", "sleep 3; touch %s; sleep 60".formatted(started));
        ServiceSpec slow = service("trino", Set.of(), command, () -> Files.exists(started));
        supervisor = new Supervisor(home, List.of(slow), this::listen, Duration.ofSeconds(1));
        supervisor.start();

        assertThat(awaitState(State.BACKING_OFF).lastExit()).isEqualTo("not ready after 1 s");
        awaitState(State.READY);
    }

    @Test
    void saysWhatCannotBeExecuted() {
        start(service("absent", Set.of(), List.of("/nonexistent/program"), () -> false));

        assertThatThrownBy(() -> supervisor.awaitReady(TIMEOUT))
                .isInstanceOf(CordwoodException.class)
                .hasMessageContaining("absent does not start");
    }

    @Test
    void failsAtOnceIfTheFirstStartCannotBePrepared() {
        start(prepared("redis", () -> {
            throw new CordwoodException("no Redis for this machine");
        }));

        assertThatThrownBy(() -> supervisor.awaitReady(TIMEOUT))
                .isInstanceOf(CordwoodException.class)
                .hasMessage("redis could not be started: no Redis for this machine");
        assertThat(supervisor.status()).extracting(ServiceStatus::restarts).containsExactly(1);
    }

    @Test
    void preparesAgainAfterAnExceptionOfAnyKind() throws Exception {
        AtomicInteger starts = new AtomicInteger();
        start(prepared("redis", () -> {
            if (starts.incrementAndGet() == 2) {
                throw new IllegalStateException("out of luck");
            }
            return new ServiceSpec.Command(List.of("sleep", "60"));
        }));
        supervisor.awaitReady(TIMEOUT);

        new PidFile(home.run(), "redis").running().orElseThrow().destroyForcibly();

        assertThat(awaitState(State.BACKING_OFF).lastExit()).isEqualTo("signal 9");
        assertThat(awaitState(State.BACKING_OFF).lastExit()).isEqualTo("could not be started: out of luck");
        assertThat(awaitState(State.READY).restarts()).isEqualTo(2);
    }

    @Test
    void endsTheProcessOfAnAttemptThatFailed() throws Exception {
        AtomicInteger ready = new AtomicInteger();
        start(new ServiceSpec(
                "kafka",
                "kafka:1",
                Set.of(),
                () -> new ServiceSpec.Command(List.of("sleep", "60")),
                () -> true,
                () -> {
                    if (ready.incrementAndGet() == 1) {
                        throw new IllegalStateException("no topics");
                    }
                },
                Duration.ofSeconds(10)));

        long first = awaitState(State.STARTING).pid();
        ServiceStatus failed = awaitState(State.BACKING_OFF);

        assertThat(failed.lastExit()).isEqualTo("could not be started: no topics");
        assertThat(ProcessIdentity.of(first)).isEmpty();
        assertThat(awaitState(State.READY).pid()).isNotEqualTo(first);
    }

    @Test
    void refusesAServiceBeforeWhatItDependsOn() {
        assertThatThrownBy(() -> start(sleeper("flink", "kafka"), sleeper("kafka")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("flink is listed before its dependencies");
    }

    @Test
    void largeLogIsSetAside() throws Exception {
        Files.write(home.log("redis"), new byte[33 << 20]);

        start(sleeper("redis"));
        supervisor.awaitReady(TIMEOUT);

        assertThat(home.logs().resolve("redis.log.1")).exists();
        assertThat(home.log("redis")).isEmptyFile();
    }

    @Test
    void aJvmThatIsStoppedHandsItsClassesToTheNext() throws Exception {
        start(webServer(true));
        supervisor.awaitReady(TIMEOUT);
        assertThat(archives()).as("before it ends").noneMatch(name -> name.endsWith(".jsa"));
        supervisor.stop();
        assertThat(archives()).singleElement().asString().endsWith(".jsa");

        start(webServer(true));
        supervisor.awaitReady(TIMEOUT);
        assertThat(webServerArchive().isWritten()).isFalse();
        supervisor.stop();
        assertThat(archives()).as("it stays").singleElement().asString().endsWith(".jsa");
    }

    @Test
    void aJvmThatIsKilledHandsOverNothing() throws Exception {
        start(webServer(true));
        supervisor.awaitReady(TIMEOUT);
        new PidFile(home.run(), "web").running().orElseThrow().destroyForcibly();
        awaitState(State.BACKING_OFF);
        assertThat(archives()).isEmpty();
    }

    @Test
    void aJvmThatDoesNotBecomeReadyHandsOverNothing() throws Exception {
        supervisor = new Supervisor(home, List.of(webServer(false)), this::listen, Duration.ofSeconds(1));
        supervisor.start();
        awaitState(State.BACKING_OFF);
        assertThat(archives()).isEmpty();
    }

    @Test
    void theClassesOfAJvmThatCrashedAreDiscarded() throws Exception {
        start(webServer(true));
        supervisor.awaitReady(TIMEOUT);
        supervisor.stop();
        assertThat(archives()).hasSize(1);

        start(webServer(true));
        supervisor.awaitReady(TIMEOUT);
        long pid = new PidFile(home.run(), "web").running().orElseThrow().pid();
        new ProcessBuilder("kill", "-ABRT", Long.toString(pid)).start().waitFor();
        assertThat(awaitState(State.BACKING_OFF).lastExit()).isEqualTo("signal 6");
        assertThat(archives()).isEmpty();
    }

    @Test
    void aProcessWhosePidFileCannotBeWrittenIsEnded() throws Exception {
        Files.delete(home.run());
        start(service("kafka", Set.of(), List.of("sleep", "54321"), () -> true));
        awaitState(State.BACKING_OFF);
        assertThat(ProcessHandle.current()
                        .children()
                        .filter(child -> child.info().commandLine().orElse("").contains("54321")))
                .isEmpty();
    }

    /** Java's own web server. */
    private ServiceSpec webServer(boolean ready) {
        return new ServiceSpec(
                "web",
                "web:1",
                Set.of(),
                () -> {
                    ClassArchive archive = webServerArchive();
                    List<String> command =
                            new ArrayList<>(List.of(Installation.java().toString()));
                    command.addAll(archive.options());
                    command.addAll(List.of("-m", "jdk.httpserver", "-b", "127.0.0.1", "-p", "0"));
                    return new ServiceSpec.Command(command, Optional.of(archive));
                },
                () -> ready
                        && Files.exists(home.log("web"))
                        && Files.readString(home.log("web")).contains("URL"),
                () -> {},
                Duration.ofSeconds(10));
    }

    private ClassArchive webServerArchive() {
        String modules =
                Path.of(System.getProperty("java.home"), "lib", "modules").toString();
        return ClassArchive.of(directory.resolve("archives"), "web", modules, List.of())
                .orElseThrow();
    }

    private List<String> archives() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("archives"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private void start(ServiceSpec... specs) {
        supervisor = new Supervisor(home, List.of(specs), this::listen);
        supervisor.start();
    }

    private void listen(ServiceStatus status) {
        changes.add(status);
        if (status.state() == State.READY) {
            becameReady.add(status.name());
        } else if (status.state() == State.STOPPED) {
            ended.add(status.name());
        }
    }

    private ServiceStatus awaitState(State state) throws InterruptedException {
        ServiceStatus status;
        do {
            status = changes.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(status).as("a change to " + state).isNotNull();
        } while (status.state() != state || (state == State.READY && status.restarts() == 0));
        return status;
    }

    private static ServiceSpec prepared(String name, ServiceSpec.Launch launch) {
        return new ServiceSpec(name, name + ":1", Set.of(), launch, () -> true, () -> {}, Duration.ofSeconds(10));
    }

    private static ServiceSpec sleeper(String name, String... dependencies) {
        return service(name, Set.of(dependencies), List.of("sleep", "60"), () -> true);
    }

    private static ServiceSpec service(
            String name, Set<String> dependencies, List<String> command, ServiceSpec.Probe probe) {
        return new ServiceSpec(
                name,
                name + ":1",
                dependencies,
                () -> new ServiceSpec.Command(command),
                probe,
                () -> {},
                Duration.ofSeconds(10));
    }
}
