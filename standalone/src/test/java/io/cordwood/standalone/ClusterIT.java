package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Waiting;
import io.cordwood.standalone.deploy.Compose;
import io.cordwood.standalone.deploy.NetworkCut;
import io.cordwood.standalone.deploy.SmallDisk;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cluster of {@code docker/compose.cluster.yaml} under load: each service is lost for a while, connections
 * are cut, disks are full or slow. A table says what users saw, to be read by people. Each row is
 * there once, at all times.
 */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.MINUTES)
final class ClusterIT {
    private static final Duration DURATION = Duration.ofSeconds(20);
    private static final long DISK_BYTES = 2L << 30;
    /** Of a second, a slow service stands still for about so long. */
    private static final Duration STILL = Duration.ofMillis(900);

    /** Replicas by service, of those that have several of one name. */
    private static final Map<String, Integer> REPLICAS =
            Map.of("catalog", 2, "balancer", 2, "search", 2, "gateway", 2, "flink-taskmanager", 4);

    private static final List<String> BROKERS = List.of("broker", "broker-2", "broker-3");
    private static final List<String> QUERIES = List.of("trino", "trino-worker", "trino-worker-2", "trino-worker-3");
    private static final List<String> ALL = Stream.of(
                    BROKERS,
                    QUERIES,
                    List.copyOf(REPLICAS.keySet()),
                    List.of("flink", "compaction", "redis", "postgres", "s3"))
            .flatMap(List::stream)
            .toList();

    private final Path results = Program.root().resolve("target/containers");
    private final List<String> table = new ArrayList<>();
    private Compose compose;
    private ClusterLoad load;

    /** What goes wrong until it is closed. */
    private interface Fault {
        AutoCloseable begin() throws Exception;
    }

    @Test
    void noRowIsLostOrDouble(@TempDir Path directory) throws Exception {
        compose = Compose.build(Program.root(), results, Compose.WITH_WORKERS);
        compose.cluster();
        compose.run("down", "--volumes");
        Path disks = results.resolve("disks");
        try (SmallDisk ofBroker = SmallDisk.make(disks.resolve("broker-3"), DISK_BYTES, 10001);
                SmallDisk ofStore = SmallDisk.make(disks.resolve("s3"), DISK_BYTES, 10001)) {
            compose.also(
                    Files.writeString(directory.resolve("disks.yaml"), """
                    volumes:
                      broker-3: {driver_opts: {type: none, o: bind, device: %s}}
                      s3: {driver_opts: {type: none, o: bind, device: %s}}
                    """.formatted(ofBroker.path(), ofStore.path())));
            try {
                compose.set("MAX_AGE_SECONDS", "5");
                long begun = System.nanoTime();
                compose.run("up", "--detach", "--wait");
                System.out.printf("up: %.0f s%n", (System.nanoTime() - begun) / 1e9);
                use(directory, ofBroker, ofStore);
            } finally {
                try {
                    compose.runTo(results.resolve("containers.log"), "logs", "--no-color");
                } finally {
                    compose.remove();
                }
            }
        }
    }

    private void use(Path directory, SmallDisk ofBroker, SmallDisk ofStore) throws Exception {
        Home home = new Home(directory.resolve("lake"));
        home.create();
        Endpoints endpoints = OperatorHome.enter(compose, home);
        Program cordwood = new Program(home.directory());
        cordwood.callOk("user", "add", "ann");
        for (String tenant : List.of(ClusterLoad.KAFKA_TENANT, ClusterLoad.GATEWAY_TENANT)) {
            cordwood.callOk("tenant", "set", tenant, "--quota", "0");
            cordwood.callOk("user", "grant", "ann", "--tenant", tenant, "--role", "reader,writer");
        }
        Properties kafka = new Properties();
        kafka.load(new StringReader(cordwood.callOk("user", "kafka-login", "ann")));
        kafka.setProperty("bootstrap.servers", "localhost:19092,localhost:19093,localhost:19094");
        String token = cordwood.callOk("token", "create", "--user", "ann").strip();
        String recordToken = cordwood.callOk(
                        "token", "create", "--user", "ann", "--tenant", ClusterLoad.KAFKA_TENANT, "--for", "records")
                .strip();
        try (ClusterLoad users = new ClusterLoad(
                endpoints,
                List.of("https://localhost:8096", "https://localhost:8097"),
                List.of("https://localhost:8094", "https://localhost:8095"),
                kafka,
                OperatorHome.authorities(home),
                "ann",
                token,
                recordToken)) {
            load = users;
            Waiting.until("rows are archived", () -> archived() > 0);
            recovered(System.nanoTime());
            table.add(
                    "| | %s | again |".formatted(String.join(" | ", load.doors().keySet())));
            watch("nothing", () -> () -> {});
            losses();
            cuts();
            disks(ofBroker, ofStore);
            load.stopShipping();
            Waiting.until("all rows are archived", () -> archived() >= load.throughKafka());
            System.out.printf(
                    "%s%n%d rows through Kafka, %d acknowledged by gateways; SQL was wrong %d times of %d%n",
                    String.join("\n", table),
                    load.throughKafka(),
                    load.acknowledgedByGateways(),
                    load.wrongAnswers(),
                    load.doors().get("SQL").count());
            assertThat(load.doors().get("Kafka").failures())
                    .as("rows that Kafka refused for good")
                    .isZero();
            assertThat(load.wrongAnswers())
                    .as("answers of SQL that lack rows, or have some twice")
                    .isZero();
            assertThat(load.wrongRows()).isEmpty();
        }
    }

    private void losses() throws Exception {
        for (String service : ALL) {
            watch("loss of " + described(service), () -> {
                String container = compose.containers(service).getFirst();
                compose.lose(container);
                return () -> compose.docker("start", container);
            });
        }
    }

    private static String described(String service) {
        return REPLICAS.containsKey(service) ? "one of %d %s".formatted(REPLICAS.get(service), service) : service;
    }

    private void cuts() throws Exception {
        List<String> jobs = List.of("flink", "flink-taskmanager");
        cut("broker-2", List.of("broker-2"), "the other brokers", List.of("broker", "broker-3"));
        cut("broker-2", List.of("broker-2"), "all services", ALL);
        watch("one of 2 catalog cut off from all services", () -> {
            List<String> first = compose.containers("catalog").subList(0, 1);
            return NetworkCut.between(compose, first, all(ALL));
        });
        cut("the ingest job", jobs, "all brokers", BROKERS);
        cut("the ingest job", jobs, "catalog", List.of("catalog"));
        cut("the ingest job", jobs, "s3", List.of("s3"));
        cut("the ingest job", jobs, "redis", List.of("redis"));
        cut("flink", List.of("flink"), "flink-taskmanager", List.of("flink-taskmanager"));
        cut("trino", List.of("trino"), "trino-worker-2", List.of("trino-worker-2"));
        cut("Trino's nodes", QUERIES, "all brokers", BROKERS);
        cut("Trino's nodes", QUERIES, "catalog", List.of("catalog"));
        cut("Trino's nodes", QUERIES, "s3", List.of("s3"));
        cut("Trino's nodes", QUERIES, "redis", List.of("redis"));
        cut("search", List.of("search"), "all brokers", BROKERS);
        cut("search", List.of("search"), "catalog", List.of("catalog"));
        cut("search", List.of("search"), "s3", List.of("s3"));
        cut("gateway", List.of("gateway"), "all brokers", BROKERS);
        cut("gateway", List.of("gateway"), "catalog", List.of("catalog"));
        cut("catalog", List.of("catalog"), "postgres", List.of("postgres"));
        cut("catalog", List.of("catalog"), "s3", List.of("s3"));
        cut("balancer", List.of("balancer"), "redis", List.of("redis"));
        cut("compaction", List.of("compaction"), "catalog", List.of("catalog"));
    }

    private void cut(String one, List<String> some, String other, List<String> others) throws Exception {
        watch("%s cut off from %s".formatted(one, other), () -> NetworkCut.between(compose, all(some), all(others)));
    }

    private List<String> all(List<String> services) throws IOException, InterruptedException {
        List<String> containers = new ArrayList<>();
        for (String service : services) {
            containers.addAll(compose.containers(service));
        }
        return containers;
    }

    private void disks(SmallDisk ofBroker, SmallDisk ofStore) throws Exception {
        watch("the disk of broker-3 is full", () -> {
            ofBroker.fill();
            return ofBroker::free;
        });
        watch("the disk of s3 is full", () -> {
            ofStore.fill();
            return ofStore::free;
        });
        watch("broker-3 is ten times as slow", () -> slow("broker-3"));
        watch("s3 is ten times as slow", () -> slow("s3"));
    }

    /** A service that stands still for most of each second. */
    private AutoCloseable slow(String service) throws IOException, InterruptedException {
        String container = compose.containers(service).getFirst();
        AtomicBoolean isSlow = new AtomicBoolean(true);
        Future<?> pauses = ForkJoinPool.commonPool().submit(() -> {
            while (isSlow.get()) {
                compose.docker("pause", container);
                Thread.sleep(STILL);
                compose.docker("unpause", container);
                Thread.sleep(Duration.ofSeconds(1).minus(STILL));
            }
            return null;
        });
        return () -> {
            isSlow.set(false);
            pauses.get();
        };
    }

    /** Notes what users see of a fault, and waits until everything is as before. */
    private void watch(String what, Fault fault) throws Exception {
        Map<String, Long> failed = failures();
        long begun = System.nanoTime();
        AutoCloseable ongoing = fault.begin();
        try {
            Thread.sleep(DURATION);
        } finally {
            ongoing.close();
        }
        long ended = System.nanoTime();
        recovered(ended);
        StringBuilder row = new StringBuilder("| ").append(what).append(" |");
        load.doors()
                .forEach((door, answers) -> row.append(" %.1f s, %d |"
                        .formatted(
                                answers.longestWait(begun).toMillis() / 1e3, answers.failures() - failed.get(door))));
        row.append(" %.0f s |".formatted((System.nanoTime() - ended) / 1e9));
        System.out.println(row);
        load.doors().forEach((door, answers) -> {
            if (answers.failures() > failed.get(door)) {
                System.out.printf("    %s: %s%n", door, answers.lastFailure());
            }
        });
        table.add(row.toString());
    }

    private Map<String, Long> failures() {
        return load.doors().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, door -> door.getValue().failures()));
    }

    /** Waits until all services are healthy, all doors answer, and the rows of this time are archived. */
    private void recovered(long tick) throws Exception {
        Map<String, Long> all = ALL.stream()
                .collect(Collectors.toMap(service -> service, service -> (long) REPLICAS.getOrDefault(service, 1)));
        Waiting.until("all services are healthy", () -> {
            Thread.sleep(500);
            return compose.healthy().equals(all);
        });
        long shipped = load.doors().get("Kafka").count();
        for (Map.Entry<String, Answers> door : load.doors().entrySet()) {
            Waiting.until(
                    "%s answers (%s)".formatted(door.getKey(), door.getValue().lastFailure()),
                    () -> door.getValue().hasSince(tick));
        }
        Waiting.until("rows are archived", () -> archived() >= shipped);
    }

    private long archived() throws InterruptedException {
        // Users are measured meanwhile
        Thread.sleep(1000);
        try {
            return load.select(
                    "count(*) FROM cordwood.%s.logs WHERE \"$tier\" = 'cold'".formatted(ClusterLoad.KAFKA_TENANT));
        } catch (SQLException e) {
            // A table begins with its first row, and queries may fail
            return -1;
        }
    }
}
