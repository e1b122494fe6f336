package io.cordwood.systemtests.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.systemtests.agent.Breakpoint;
import io.cordwood.systemtests.agent.ShiftedClock;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/**
 * A whole stack for fault injection. Broker and catalog run behind {@link FaultyProxy proxies}, as processes of the
 * lab. Redis, Flink, compaction, Trino and search run under {@code bin/cordwood up}, whose supervisor restarts dead
 * processes. For one thread, unless a method says otherwise.
 */
public final class Lab implements Closeable {
    public static final String STREAM = "logs";
    public static final int PARTITIONS = 4;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Path root;
    private final Path directory;
    private final Path home;
    private final Path warehouse;
    private final int maxAgeSeconds;
    private final Size size;
    private final Map<String, String> environment;
    private final List<String> options;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final int kafkaPort = freePort();
    private final int catalogPort = freePort();
    private final FaultyProxy kafkaProxy;
    private final FaultyProxy catalogProxy;
    private final LabProcess format;
    private final LabProcess broker;
    private final LabProcess catalog;
    private boolean closed;
    private JsonNode endpoints;

    /** The initial number of the topic's partitions and of the job's subtasks. */
    public record Size(int partitions, int parallelism) {
        public static final Size DEFAULT = new Size(PARTITIONS, 2);
    }

    /**
     * Starts everything.
     *
     * @param directory receives all data and logs
     * @param maxAgeSeconds age at which rows are flushed
     * @param environment further variables of {@code bin/cordwood}'s environment; {@code CORDWOOD_CATALOG_JAVA_OPTIONS}
     *     holds one option, for the lab's own catalog
     * @param options further options of {@code bin/cordwood up}
     */
    public static Lab start(
            Path root, Path directory, int maxAgeSeconds, Map<String, String> environment, List<String> options)
            throws IOException, InterruptedException, NotRecoveredException {
        Lab lab = new Lab(root, directory, maxAgeSeconds, Size.DEFAULT, environment, options);
        // The stack would outlive this process, so ^C and a kill must stop it too.
        Runtime.getRuntime().addShutdownHook(new Thread(lab::closeWhenKilled, "stop"));
        lab.begin();
        return lab;
    }

    /**
     * Starts everything in a temporary directory, which is always deleted at the end of the run.
     *
     * @param options further options of {@code bin/cordwood up}
     */
    public static Lab start(
            Path root, Scratch scratch, int maxAgeSeconds, Map<String, String> environment, String... options)
            throws IOException, InterruptedException, NotRecoveredException {
        return start(root, scratch, maxAgeSeconds, Size.DEFAULT, environment, options);
    }

    /** Starts everything in another size. */
    public static Lab start(
            Path root,
            Scratch scratch,
            int maxAgeSeconds,
            Size size,
            Map<String, String> environment,
            String... options)
            throws IOException, InterruptedException, NotRecoveredException {
        Lab lab = scratch.start(
                () -> new Lab(root, scratch.directory(), maxAgeSeconds, size, environment, List.of(options)));
        lab.begin();
        return lab;
    }

    private void begin() throws IOException, InterruptedException, NotRecoveredException {
        try {
            format.run();
            broker.start();
            catalog.start();
            Await.await(Duration.ofMinutes(1), "the catalog answers", () -> {
                get("/v1/config");
                return true;
            });
            Await.await(Duration.ofMinutes(2), "Kafka answers", () -> {
                try (Admin admin = admin()) {
                    admin.describeCluster().nodes().get();
                    return true;
                }
            });
            up(size.parallelism());
        } catch (IOException | InterruptedException | NotRecoveredException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Lab(
            Path root,
            Path directory,
            int maxAgeSeconds,
            Size size,
            Map<String, String> environment,
            List<String> options)
            throws IOException {
        this.root = root;
        this.directory = directory;
        this.maxAgeSeconds = maxAgeSeconds;
        this.size = size;
        this.environment = environment;
        this.options = options;
        home = directory.resolve("home");
        warehouse = Files.createDirectories(directory.resolve("warehouse"));
        Files.createDirectories(breakpoints().directory());
        Files.createDirectories(clocks().directory());
        int kafkaTarget = freePort();
        kafkaProxy = new FaultyProxy(kafkaTarget);
        catalogProxy = new FaultyProxy(catalogPort);
        Path properties = directory.resolve("kafka.properties");
        Files.writeString(properties, brokerProperties(kafkaTarget));
        format = LabProcess.of(
                root,
                "standalone/broker",
                "256m",
                List.of(),
                directory.resolve("kafka.log"),
                "kafka.tools.StorageTool",
                List.of("format", "--standalone", "-t", Uuid.randomUuid().toString(), "-c", properties.toString()));
        broker = LabProcess.of(
                root,
                "standalone/broker",
                "512m",
                List.of(),
                directory.resolve("kafka.log"),
                "kafka.Kafka",
                List.of(properties.toString()));
        catalog = LabProcess.of(
                root,
                "standalone/catalog-server",
                "384m",
                Optional.ofNullable(environment.get("CORDWOOD_CATALOG_JAVA_OPTIONS")).stream()
                        .toList(),
                directory.resolve("catalog.log"),
                "io.cordwood.catalog.server.CatalogServer",
                List.of(
                        "--host",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(catalogPort),
                        "--jdbc-url",
                        "jdbc:sqlite:" + directory.resolve("catalog.db"),
                        "--warehouse",
                        "file://" + warehouse));
    }

    /** Two listeners: the stack's, which advertises the proxy's address, and the checker's own. */
    private String brokerProperties(int kafkaTarget) throws IOException {
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.bootstrap.servers=127.0.0.1:%1$d
                listeners=STACK://127.0.0.1:%2$d,CHECKER://127.0.0.1:%3$d,CONTROLLER://127.0.0.1:%1$d
                advertised.listeners=STACK://127.0.0.1:%4$d,CHECKER://127.0.0.1:%3$d
                listener.security.protocol.map=STACK:PLAINTEXT,CHECKER:PLAINTEXT,CONTROLLER:PLAINTEXT
                controller.listener.names=CONTROLLER
                inter.broker.listener.name=CHECKER
                log.dirs=%5$s
                auto.create.topics.enable=false
                message.max.bytes=16842752
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=1
                group.initial.rebalance.delay.ms=0
                """.formatted(freePort(), kafkaTarget, kafkaPort, kafkaProxy.port(), directory.resolve("kafka"));
    }

    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Starts the supervised services with further options. */
    public void up(int parallelism, String... more) throws IOException, InterruptedException {
        List<String> further = new ArrayList<>(options);
        further.addAll(List.of(more));
        up(parallelism, further);
    }

    private void up(int parallelism, List<String> further) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "--detach",
                "--kafka",
                "127.0.0.1:" + kafkaProxy.port(),
                "--catalog",
                "http://127.0.0.1:" + catalogProxy.port(),
                "--warehouse",
                warehouse.toString(),
                "--streams",
                STREAM,
                "--columns",
                STREAM + "=" + NumberedRow.COLUMNS,
                "--partitions",
                Integer.toString(size.partitions()),
                "--max-age",
                Integer.toString(maxAgeSeconds),
                "--parallelism",
                Integer.toString(parallelism)));
        arguments.addAll(further);
        cordwood("up", arguments);
        endpoints = JSON.readTree(home.resolve("endpoints.json").toFile());
    }

    /** Starts the supervised services with these further options in place of the initial ones. */
    public void upWith(String... others) throws IOException, InterruptedException {
        up(size.parallelism(), List.of(others));
    }

    /** Stops the supervised services in order. */
    public void down() throws IOException, InterruptedException {
        cordwood("down", List.of());
    }

    private void cordwood(String name, List<String> arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("bin/cordwood").toString(), name, "--home", home.toString()));
        command.addAll(arguments);
        Path log = directory.resolve("cordwood.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("CORDWOOD_BUILD", "never");
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        if (code != 0) {
            throw new IOException("'bin/cordwood %s' failed with exit code %d: see %s".formatted(name, code, log));
        }
    }

    /** Starts {@code bin/cordwood tail}; the process is the tail itself. Thread-safe. */
    public Process tail(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("bin/cordwood").toString(), "tail", "--home", home.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("tail.log").toFile()));
        builder.environment().put("CORDWOOD_BUILD", "never");
        return builder.start();
    }

    /** The checker's own connection to Kafka, which only the broker's death affects. */
    public String kafka() {
        return "127.0.0.1:" + kafkaPort;
    }

    public Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", kafka(), "default.api.timeout.ms", 120_000));
    }

    public FaultyProxy kafkaProxy() {
        return kafkaProxy;
    }

    public FaultyProxy catalogProxy() {
        return catalogProxy;
    }

    public Path directory() {
        return directory;
    }

    public Path home() {
        return home;
    }

    /** The job's breakpoints, if its JVM runs with {@link Breakpoint}. */
    public Breakpoints breakpoints() {
        return breakpoints(directory);
    }

    /** The same, for use before the start. */
    public static Breakpoints breakpoints(Path directory) {
        return new Breakpoints(directory.resolve("breakpoints"));
    }

    /** Shifts the clocks of components, if their JVMs run with {@link ShiftedClock}. */
    public Clocks clocks() {
        return clocks(directory);
    }

    /** The same, for use before the start. */
    public static Clocks clocks(Path directory) {
        return new Clocks(directory.resolve("clocks"));
    }

    public Path warehouse() {
        return warehouse;
    }

    /** The current process of a component. @throws IOException while it restarts */
    public long pid(Component component) throws IOException {
        return switch (component) {
            case KAFKA -> broker.pid();
            case CATALOG -> catalog.pid();
            case FLINK, REDIS, TRINO, COMPACTION, SEARCH -> pid(component.toString());
        };
    }

    /** The current process of the balancer. @throws IOException while it restarts */
    public long balancerPid() throws IOException {
        return pid("balancer");
    }

    private long pid(String service) throws IOException {
        String text = Files.readString(home.resolve("run").resolve(service + ".pid"));
        return Long.parseLong(text.strip().split("\\s", 2)[0]);
    }

    /** Whether the supervisor has found the component ready; not for components that the lab runs itself. */
    public boolean isReady(Component component) throws IOException {
        if (component == Component.KAFKA || component == Component.CATALOG) {
            return true;
        }
        for (JsonNode service :
                JSON.readTree(home.resolve("run/status.json").toFile()).path("services")) {
            if (service.path("name").asText().equals(component.toString())) {
                return service.path("state").asText().equals("READY");
            }
        }
        return false;
    }

    /** Kills the component like kill -9; its supervisor or the lab restarts it. */
    public void kill(Component component) throws IOException, InterruptedException {
        switch (component) {
            case KAFKA -> {
                broker.kill();
                broker.start();
            }
            case CATALOG -> {
                catalog.kill();
                catalog.start();
            }
            case FLINK, REDIS, TRINO, COMPACTION, SEARCH ->
                ProcessHandle.of(pid(component)).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Sends a signal such as STOP or CONT. */
    public void signal(Component component, String signal) throws IOException, InterruptedException {
        signal(pid(component), signal);
    }

    public static void signal(long pid, String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
    }

    /** Thread-safe. */
    public Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", "checker");
        return DriverManager.getConnection(
                endpoints.get("trino").asText().replaceFirst("^http", "jdbc:trino"), properties);
    }

    /** The Redis with routing tables and reports of traffic. */
    public String redis() {
        return endpoints.get("redis").asText();
    }

    /** The search service. */
    public String search() {
        return endpoints.get("search").asText();
    }

    public String balancer() {
        return endpoints.get("balancer").asText();
    }

    public String flink() {
        return endpoints.get("flink").asText();
    }

    /** Archived-through by topic id and partition. Bypasses the proxy. Thread-safe. */
    public Map<String, Map<Integer, Long>> archivedThrough() throws IOException, InterruptedException {
        Map<String, Map<Integer, Long>> byTopic = new HashMap<>();
        get("/cordwood/v1/streams/" + STREAM + "/archived-through").properties().forEach(topic -> {
            Map<Integer, Long> offsets = byTopic.computeIfAbsent(topic.getKey(), id -> new HashMap<>());
            topic.getValue()
                    .properties()
                    .forEach(partition -> offsets.put(
                            Integer.valueOf(partition.getKey()),
                            partition.getValue().asLong()));
        });
        return byTopic;
    }

    /** Whether a flush of the tenant is requested. Bypasses the proxy. */
    public boolean isFlushRequested(int tenant) throws IOException, InterruptedException {
        return get("/cordwood/v1/streams/" + STREAM + "/flush-requests").has(NumberedRow.tenantId(tenant));
    }

    /** Commits that reached the catalog twice or lost a race since its start. Bypasses the proxy. */
    public long repeatedCommits() throws IOException, InterruptedException {
        String metrics = text(request("/metrics").GET());
        return metrics.lines()
                .filter(line -> line.matches("cordwood_catalog_(commit_conflicts|repeated_commits)_total .*"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    /**
     * Deletes a tenant: removes its rows below these offsets permanently.
     *
     * @return whether it was deleted: false if its table already has rows above these offsets
     */
    public boolean deleteTenant(String tenantId, TableOffsets floors) throws IOException, InterruptedException {
        String body = "{\"floors\":{\"%s\":%s}}".formatted(STREAM, floors.toJson());
        HttpRequest.Builder request =
                request("/cordwood/v1/tenants/" + tenantId).method("DELETE", HttpRequest.BodyPublishers.ofString(body));
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 300 && response.statusCode() != 409) {
            throw new IOException("the catalog says: " + response.body());
        }
        return response.statusCode() != 409;
    }

    /** Ids of the tenants in the registry. Bypasses the proxy. Thread-safe. */
    public Set<String> tenants() throws IOException, InterruptedException {
        Set<String> ids = new HashSet<>();
        get("/cordwood/v1/tenants")
                .path("tenants")
                .forEach(tenant -> ids.add(tenant.path("id").asText()));
        return ids;
    }

    /** Writes a tenant into the registry, before its first row or again. */
    public void register(String tenantId) throws IOException, InterruptedException {
        put(JSON.createObjectNode().put("id", tenantId).put("schema", tenantId));
    }

    /** Sets the retention in days of all tenants that are registered now. */
    public void keepRows(int days) throws IOException, InterruptedException {
        for (JsonNode tenant : get("/cordwood/v1/tenants").path("tenants")) {
            put(tenant.<ObjectNode>deepCopy().put("retention-days", days));
        }
    }

    private void put(ObjectNode tenant) throws IOException, InterruptedException {
        send(request("/cordwood/v1/tenants/" + tenant.path("schema").asText())
                .method("PUT", HttpRequest.BodyPublishers.ofString(tenant.toString())));
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + catalogPort + path))
                .timeout(TIMEOUT);
    }

    private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        String body = text(request);
        return body.isEmpty() ? JSON.createObjectNode() : JSON.readTree(body);
    }

    private String text(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IOException("the catalog says: " + response.body());
        }
        return response.body();
    }

    private void closeWhenKilled() {
        try {
            close();
        } catch (IOException e) {
            System.err.printf("the stack in %s may still run: %s%n", home, e.getMessage());
        }
    }

    /** Stops everything; a second call waits for the first. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        kafkaProxy.weather(FaultyProxy.Weather.FAIR);
        catalogProxy.weather(FaultyProxy.Weather.FAIR);
        try {
            if (Files.exists(home)) {
                down();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            catalog.close();
            broker.close();
            kafkaProxy.close();
            catalogProxy.close();
        }
    }
}
