package io.cordwood.ingest.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.ingest.testing.TableRows;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole job in a process of its own, with a real broker and a real catalog, killed again and again. */
@Timeout(300)
class IngestIT {
    private static final int TENANTS = 5;
    private static final int PARTITIONS = 3;

    /**
     * An age that no row reaches while a test runs. Each tenant is flushed once in this time, at a moment of its own;
     * of an hour, a test would meet that moment now and then.
     */
    private static final String LONG = "365d";

    @TempDir
    private static Path home;

    private static Service broker;
    private static CatalogServer server;
    private static CatalogClient catalog;
    private static Admin admin;
    private static KafkaProducer<byte[], byte[]> producer;

    private String stream;
    private Path checkpoints;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();
    private long produced;
    private Optional<JavaProcess> job = Optional.empty();

    @BeforeAll
    static void startServices() throws Exception {
        broker = TestServices.kafka();
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + home.resolve("catalog.db"),
                home.resolve("warehouse").toString(),
                Map.of()));
        catalog = CatalogClient.connect(server.uri(), Map.of());
        admin = Admin.create(Map.of("bootstrap.servers", broker.address()));
        // One request at a time: in a topic made just now a broker may refuse the first batch and take the second, and
        // then finds the first, sent again, out of sequence for ever.
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", broker.address(),
                        "linger.ms", "5",
                        "max.in.flight.requests.per.connection", "1"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    static void stopServices() throws IOException {
        producer.close();
        admin.close();
        catalog.close();
        server.close();
        broker.close();
    }

    @BeforeEach
    void createTopic(TestInfo test) throws Exception {
        stream = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        checkpoints = home.resolve("checkpoints-" + stream);
        KafkaTopics.create(admin, newTopic());
    }

    private NewTopic newTopic() {
        return new NewTopic(stream, PARTITIONS, (short) 1)
                .configs(Map.of("message.timestamp.type", "LogAppendTime", "retention.ms", "-1"));
    }

    @AfterEach
    void stopJob() throws Exception {
        if (job.isPresent()) {
            job.get().end();
        }
    }

    @Test
    void archivesEveryRow() throws Exception {
        start();
        produce(2000);
        awaitArchived();
        assertEachRowOnce();

        // Lag tools see what is archived.
        Waiting.until("the consumer group shows the same", () -> groupOffsets().equals(endOffsets()));
    }

    @Test
    void newMembersAreDeclaredLongBeforeTheirFlush() throws Exception {
        startWith("--min-age", LONG, "--max-age", LONG);
        produce(10);
        awaitColumns("n", "message");
        sendMember(0, "a", "1");
        awaitColumns("a");
        job.orElseThrow().kill();
        sendMember(1, "b", "true");
        startWith("--min-age", LONG, "--max-age", LONG);
        sendMember(2, "c", "[1]");
        awaitColumns("b", "c");
        assertThat(catalog.catalog()
                        .loadTable(TenantNames.table("tenant-0", stream))
                        .currentSnapshot())
                .as("nothing is flushed")
                .isNull();
    }

    private void sendMember(int partition, String name, String value) throws Exception {
        String row = "{\"%s\":%s}".formatted(name, value);
        producer.send(new ProducerRecord<>(stream, partition, "tenant-0".getBytes(UTF_8), row.getBytes(UTF_8)))
                .get();
    }

    private void awaitColumns(String... names) throws Exception {
        awaitColumnsOf("tenant-0", names);
    }

    private void awaitColumnsOf(String tenant, String... names) throws Exception {
        Waiting.until(
                "there are columns " + List.of(names),
                () -> catalog.table(tenant, stream)
                        .filter(table -> Stream.of(names)
                                .allMatch(name -> table.schema().column(name).isPresent()))
                        .isPresent());
    }

    @Test
    void killed() throws Exception {
        for (int round = 0; round < 3; round++) {
            start();
            produce(3000);
            long before = archived();
            produce(3000);
            Waiting.until("something is archived", () -> archived() > before);
            job.orElseThrow().kill();
            produce(500);
        }
        start();
        awaitArchived();
        assertEachRowOnce();
    }

    @Test
    void withoutItsCheckpoints() throws Exception {
        start();
        produce(3000);
        Waiting.until("something is archived", () -> archived() > 0);
        produce(2000);
        job.orElseThrow().kill();
        delete(checkpoints);
        start();
        produce(1000);
        awaitArchived();
        assertEachRowOnce();
    }

    @Test
    void fromAnOldCheckpoint() throws Exception {
        start();
        produce(3000);
        Waiting.until("something is archived", () -> archived() > 0);
        produce(1000);
        job.orElseThrow().terminate();
        Path kept = home.resolve("kept");
        copy(checkpoints, kept);

        start();
        produce(3000);
        awaitArchived();
        job.orElseThrow().kill();

        delete(checkpoints);
        copy(kept, checkpoints);
        start();
        produce(1000);
        awaitArchived();
        assertEachRowOnce();
    }

    @Test
    void fromASavepointRescaled() throws Exception {
        start();
        produce(3000);
        Waiting.until("something is archived", () -> archived() > 0);
        produce(1000);
        Path savepoint = takeSavepoint();

        produce(3000);
        awaitArchived();
        job.orElseThrow().kill();

        delete(checkpoints);
        startWith("--savepoint", savepoint.toString(), "--parallelism", "1");
        produce(1000);
        awaitArchived();
        assertThat(job.orElseThrow().log()).contains("Starting the job from " + savepoint.toUri());

        // A supervisor that starts it again, by the same command line, does not take it back.
        awaitCheckpoint();
        job.orElseThrow().kill();
        startWith("--savepoint", savepoint.toString(), "--parallelism", "3");
        produce(1000);
        awaitArchived();
        assertThat(job.orElseThrow().log()).contains("Not starting from savepoint " + savepoint);
        assertEachRowOnce();
    }

    @Test
    void fromASavepointThatIsNone() throws Exception {
        Path none = home.resolve("none");
        startWith("--savepoint", none.toString());
        assertThat(job.orElseThrow().await()).isEqualTo(1);
        assertThat(job.orElseThrow().log())
                .contains("ingest: Cannot start from savepoint %s: File ".formatted(none.toUri()))
                .contains("none/_metadata is gone; give another one");
    }

    /** As an operator does, by Flink's REST interface. */
    private Path takeSavepoint() throws Exception {
        Path target = Files.createDirectories(home.resolve("savepoints"));
        Waiting.until("the dashboard is there", () -> job.orElseThrow().log().contains("dashboard at"));
        String log = job.orElseThrow().log();
        URI dashboard = URI.create(log.substring(log.lastIndexOf("dashboard at ") + 13)
                .lines()
                .findFirst()
                .orElseThrow());
        Matcher id =
                Pattern.compile("\\p{XDigit}{32}").matcher(send(HttpRequest.newBuilder(dashboard.resolve("/jobs"))));
        assertThat(id.find()).isTrue();
        send(HttpRequest.newBuilder(dashboard.resolve("/jobs/%s/savepoints".formatted(id.group())))
                .POST(HttpRequest.BodyPublishers.ofString("{\"target-directory\":\"%s\"}".formatted(target.toUri()))));
        // Flink writes the metadata last.
        Waiting.until(
                "the savepoint is complete",
                () -> list(target).stream()
                        .anyMatch(name -> list(target.resolve(name)).contains("_metadata")));
        return target.resolve(list(target).getFirst());
    }

    private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
            return response.body();
        }
    }

    @Test
    void topicMadeAnewAndDeleted() throws Exception {
        startWith("--max-age", LONG);
        produce(1000);
        Set<PartitionId> first = awaitWaitingRows();
        KafkaTopics.delete(admin, stream);
        KafkaTopics.create(admin, newTopic());
        produce(1500);
        awaitEnd(first);
        Set<PartitionId> second = awaitWaitingRows();
        assertThat(catalog.archivedThrough(stream)).hasSize(2 * PARTITIONS);
        KafkaTopics.delete(admin, stream);
        awaitEnd(second);
        assertEachRowOnce();
    }

    /** Waits until what was produced so far waits in the job; its partitions. */
    private Set<PartitionId> awaitWaitingRows() throws Exception {
        awaitRead();
        awaitCheckpoint();
        String topicId = topic().topicId().toString();
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new PartitionId(topicId, partition))
                .collect(Collectors.toSet());
    }

    private void awaitEnd(Set<PartitionId> partitions) throws Exception {
        Waiting.until("the rows of the topic that is gone are archived", () -> {
            Map<PartitionId, Long> archived = catalog.archivedThrough(stream);
            return partitions.stream().allMatch(partition -> archived.getOrDefault(partition, 0L) == TableOffsets.END);
        });
    }

    @Test
    void deadLetters() throws Exception {
        start();
        produce(10);
        for (int i = 0; i < 5; i++) {
            sent.add(producer.send(
                    new ProducerRecord<>(stream, i % PARTITIONS, "acme".getBytes(UTF_8), "{oops".getBytes(UTF_8))));
        }
        awaitAcknowledged();
        awaitArchived();
        assertEachRowOnce();
        List<ConsumerRecord<byte[], byte[]>> letters = consume(stream + ".dlq", 5);
        Set<String> keys = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> letter : letters) {
            keys.add(new String(letter.key(), UTF_8));
            assertThat(letter.value()).isEqualTo("{oops".getBytes(UTF_8));
            assertThat(header(letter, "cordwood.error")).isEqualTo("MALFORMED_JSON");
            assertThat(header(letter, "cordwood.topic")).isEqualTo(stream);
            assertThat(new String(letter.key(), UTF_8))
                    .endsWith("/%s/%s"
                            .formatted(header(letter, "cordwood.partition"), header(letter, "cordwood.offset")));
        }
        assertThat(keys).hasSize(5);
    }

    @Test
    void newPartitions() throws Exception {
        start();
        produce(500);
        admin.createPartitions(Map.of(stream, NewPartitions.increaseTo(PARTITIONS + 2)))
                .all()
                .get();
        for (int i = 0; i < 100; i++) {
            send(PARTITIONS + i % 2);
        }
        awaitAcknowledged();
        awaitArchived();
        assertEachRowOnce();
    }

    @Test
    void givenMoreSubtasksWhileItRuns() throws Exception {
        startWith("--parallelism", "1", "--slots", "3");
        produce(3000);
        Waiting.until("something is archived", () -> archived() > 0);
        produce(1000);
        String dashboard = dashboard();
        try (HttpClient http = HttpClient.newHttpClient()) {
            JsonNode jobs = get(http, dashboard + "/jobs");
            String path =
                    dashboard + "/jobs/" + jobs.path("jobs").path(0).path("id").asText();
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(path + "/resource-requirements"))
                            .PUT(HttpRequest.BodyPublishers.ofString(requirements(get(http, path), 3)))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            Waiting.until(
                    "three subtasks build",
                    () -> get(http, path)
                            .path("vertices")
                            .valueStream()
                            .filter(vertex -> vertex.path("name").asText().contains("Build LogBlocks"))
                            .allMatch(vertex -> vertex.path("parallelism").asInt() == 3
                                    && vertex.path("status").asText().equals("RUNNING")));
        }
        produce(3000);
        awaitArchived();
        assertEachRowOnce();
    }

    private String dashboard() throws Exception {
        Pattern line = Pattern.compile("dashboard at (http://\\S+)");
        Waiting.until(
                "the job runs", () -> line.matcher(job.orElseThrow().log()).find());
        Matcher found = line.matcher(job.orElseThrow().log());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private static JsonNode get(HttpClient http, String uri) throws IOException, InterruptedException {
        return new ObjectMapper()
                .readTree(
                        http.send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString())
                                .body());
    }

    private static String requirements(JsonNode job, int parallelism) {
        ObjectNode requirements = new ObjectMapper().createObjectNode();
        for (JsonNode vertex : job.path("vertices")) {
            requirements
                    .putObject(vertex.path("id").asText())
                    .putObject("parallelism")
                    .put("lowerBound", 1)
                    .put(
                            "upperBound",
                            Math.min(parallelism, vertex.path("maxParallelism").asInt()));
        }
        return requirements.toString();
    }

    /**
     * Partition 0 ends with aborted records, partition 1 holds nothing else, 2 begins with a transaction still open.
     */
    @Test
    void abortedAtTheEnd() throws Exception {
        start();
        try (KafkaProducer<byte[], byte[]> transactions = transactions("aborted");
                KafkaProducer<byte[], byte[]> open = transactions("open")) {
            transactions.beginTransaction();
            for (int i = 0; i < 100; i++) {
                send(transactions, 0);
            }
            transactions.commitTransaction();
            abort(transactions, 0, 1);
            abort(transactions, 1);
            open.beginTransaction();
            sendAborted(open, 2);
            open.flush();
            awaitArchived();
            assertThat(archivedThrough()).isEqualTo(Map.of(0, 100L + 1 + 50 + 1, 1, 2 * (50L + 1), 2, 0L));

            // What Kafka deletes of it is not lost.
            job.orElseThrow().kill();
            abort(transactions, 0, 1);
            deleteRecords(Map.of(0, 152L, 1, 102L));
            start();
            awaitArchived();
            assertThat(archivedThrough()).isEqualTo(Map.of(0, 203L, 1, 153L, 2, 0L));

            // Nor is it without a checkpoint.
            job.orElseThrow().kill();
            delete(checkpoints);
            deleteRecords(Map.of(0, 203L, 1, 153L));
            start();
            produce(400);
            abort(transactions, 0, 2);
            open.abortTransaction();
            awaitArchived();
            assertThat(archivedThrough()).isEqualTo(asNumbers(endOffsets()));
        }
        for (int round = 0; round < 2; round++) {
            job.orElseThrow().kill();
            start();
            produce(400);
        }
        awaitArchived();
        assertEachRowOnce();
    }

    private static KafkaProducer<byte[], byte[]> transactions(String id) {
        KafkaProducer<byte[], byte[]> transactions = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.address(),
                        "transactional.id",
                        id,
                        "transaction.timeout.ms",
                        "600000"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        transactions.initTransactions();
        return transactions;
    }

    private void abort(KafkaProducer<byte[], byte[]> transactions, int... partitions) {
        transactions.beginTransaction();
        for (int partition : partitions) {
            for (int i = 0; i < 50; i++) {
                sendAborted(transactions, partition);
            }
        }
        transactions.flush();
        transactions.abortTransaction();
    }

    /** Large ones, so that it takes more than one fetch to pass them. */
    private void sendAborted(KafkaProducer<byte[], byte[]> transactions, int partition) {
        String value = "{\"n\":-1,\"message\":\"%s\"}".formatted("aborted ".repeat(8000));
        sent.add(transactions.send(
                new ProducerRecord<>(stream, partition, "tenant-0".getBytes(UTF_8), value.getBytes(UTF_8))));
    }

    /** As Kafka does once records are older than the topic's retention. */
    private void deleteRecords(Map<Integer, Long> below) throws Exception {
        Map<TopicPartition, RecordsToDelete> starts = new HashMap<>();
        below.forEach((partition, offset) ->
                starts.put(new TopicPartition(stream, partition), RecordsToDelete.beforeOffset(offset)));
        admin.deleteRecords(starts).all().get();
    }

    private Map<Integer, Long> archivedThrough() {
        Map<Integer, Long> offsets = new HashMap<>();
        catalog.archivedThrough(stream).forEach((partition, offset) -> offsets.put(partition.partition(), offset));
        return offsets;
    }

    private static Map<Integer, Long> asNumbers(Map<TopicPartition, Long> offsets) {
        Map<Integer, Long> numbers = new HashMap<>();
        offsets.forEach((partition, offset) -> numbers.put(partition.partition(), offset));
        return numbers;
    }

    @Test
    void twoAtOnce() throws Exception {
        start();
        produce(1000);
        awaitArchived();
        try (JavaProcess second = process("second", checkpoints)) {
            assertThat(second.await()).isEqualTo(1);
            assertThat(second.log())
                    .contains("ingest: Checkpoint directory %s is in use by another ingest cluster"
                            .formatted(checkpoints));
        }
        produce(1000);
        awaitArchived();
        // Nothing keeps one with other checkpoints from running; tables take each row once nonetheless.
        Path others = home.resolve("others");
        try (JavaProcess second = process("third", others)) {
            for (int round = 0;
                    round < 4
                            || CheckpointFinder.newest(others.toUri().toString(), Optional::empty)
                                    .isEmpty();
                    round++) {
                long before = archived();
                produce(1000);
                Waiting.until("something is archived", () -> archived() > before);
            }
            awaitArchived();
            second.kill();
        }
        produce(1000);
        awaitArchived();
        assertEachRowOnce();
    }

    @Test
    void damagedCheckpoint() throws Exception {
        startWith("--max-age", LONG, "--flush-size", "1gb");
        produce(30_000);
        awaitRead();
        awaitCheckpoint();
        job.orElseThrow().kill();
        assertThat(stateFiles()).isNotEmpty();
        for (Path file : stateFiles()) {
            Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 100));
        }
        startWith("--max-age", LONG, "--flush-size", "1gb");
        produce(3000);
        awaitRead();
        awaitCheckpoint();
        job.orElseThrow().kill();
        assertThat(job.orElseThrow().log()).contains("which is damaged: File").contains(" has 100 bytes instead of ");

        assertThat(stateFiles()).isNotEmpty();
        for (Path file : stateFiles()) {
            byte[] bytes = new byte[(int) Files.size(file)];
            Arrays.fill(bytes, (byte) 7);
            Files.write(file, bytes);
        }
        start();
        produce(1000);
        awaitArchived();
        assertThat(job.orElseThrow().log()).contains("The checkpoint could not be restored 3 times");
        assertEachRowOnce();
    }

    /** Waits for a checkpoint that began after what was produced so far. */
    private void awaitCheckpoint() throws Exception {
        for (int later = 0; later < 2; later++) {
            Set<String> before = completedCheckpoints();
            Waiting.until("there is another checkpoint", () -> !before.containsAll(completedCheckpoints()));
        }
    }

    private Set<String> completedCheckpoints() {
        Set<String> completed = new HashSet<>();
        for (String run : list(checkpoints)) {
            for (String checkpoint : list(checkpoints.resolve(run))) {
                if (list(checkpoints.resolve(run).resolve(checkpoint)).contains("_metadata")) {
                    completed.add(run + "/" + checkpoint);
                }
            }
        }
        return completed;
    }

    /** Names in a directory; none if it is gone or no directory. */
    private static List<String> list(Path directory) {
        String[] names = directory.toFile().list();
        return names == null ? List.of() : List.of(names);
    }

    /** Files of checkpoints besides their metadata, which holds what is small. */
    private List<Path> stateFiles() throws IOException {
        try (var files = Files.walk(checkpoints)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("_metadata") && !file.endsWith(".lock"))
                    .toList();
        }
    }

    private void start() throws IOException {
        startWith();
    }

    private void startWith(String... options) throws IOException {
        job = Optional.of(process(stream, checkpoints, options));
    }

    private JavaProcess process(String name, Path checkpointDirectory, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "--bootstrap-servers", broker.address(),
                "--catalog-uri", server.uri().toString(),
                "--streams", stream,
                "--checkpoint-dir", checkpointDirectory.toString(),
                "--checkpoint-interval", "500ms",
                "--parallelism", "2",
                "--min-age", "1s",
                "--max-age", "2s",
                "--buffer-memory", "64mb",
                "--discovery-interval", "1s",
                "--group-id", stream,
                "--work-dir",
                        Files.createDirectories(home.resolve("work-" + name)).toString(),
                "--rest-port", "0"));
        options.addAll(List.of(more));
        return JavaProcess.start(
                home.resolve(name + ".log"), "768m", "io.cordwood.ingest.cluster.IngestCluster", options);
    }

    /** Numbered rows; the number decides tenant and partition. */
    private void produce(int rows) throws Exception {
        for (int i = 0; i < rows; i++) {
            send((int) (produced % PARTITIONS));
        }
        awaitAcknowledged();
    }

    private void send(int partition) {
        send(producer, partition);
    }

    private void send(KafkaProducer<byte[], byte[]> by, int partition) {
        send(by, partition, "\"message\":\"row %d of many\"".formatted(produced));
    }

    private void send(KafkaProducer<byte[], byte[]> by, int partition, String member) {
        String tenant = "tenant-" + produced % TENANTS;
        String value = "{\"n\":%d,%s}".formatted(produced, member);
        produced++;
        sent.add(by.send(new ProducerRecord<>(stream, partition, tenant.getBytes(UTF_8), value.getBytes(UTF_8))));
    }

    /** Waits until the job has read what was produced so far: it declares a column when it reads its first row. */
    private void awaitRead() throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            String tenant = "tenant-" + produced % TENANTS;
            String column = "read_" + produced;
            send(producer, partition, "\"%s\":true".formatted(column));
            awaitAcknowledged();
            awaitColumnsOf(tenant, column);
        }
    }

    private void awaitAcknowledged() throws Exception {
        for (Future<RecordMetadata> one : sent) {
            try {
                one.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(broker.log(), e);
            }
        }
        sent.clear();
    }

    private void awaitArchived() throws Exception {
        try {
            Waiting.until("all rows are archived", () -> {
                if (!job.orElseThrow().isAlive()) {
                    throw new IllegalStateException("The job ended");
                }
                TopicDescription topic = topic();
                String topicId = topic.topicId().toString();
                Map<PartitionId, Long> archived = catalog.archivedThrough(stream);
                return endOffsets(topic).entrySet().stream()
                        .allMatch(end -> archived.getOrDefault(
                                        new PartitionId(topicId, end.getKey().partition()), 0L)
                                .equals(end.getValue()));
            });
        } catch (IllegalStateException e) {
            throw new IllegalStateException(job.orElseThrow().log(), e);
        }
    }

    private long archived() {
        return catalog.archivedThrough(stream).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private void assertEachRowOnce() throws IOException {
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            int remainder = tenant;
            Optional<LoadedTable> table = catalog.table("tenant-" + tenant, stream);
            assertThat(table).isPresent();
            assertThat(TableRows.longs(catalog, table.get(), "n"))
                    .as("rows of tenant %d", tenant)
                    .isEqualTo(LongStream.range(0, produced)
                            .filter(number -> number % TENANTS == remainder)
                            .toArray());
        }
    }

    private Map<TopicPartition, Long> endOffsets() throws InterruptedException {
        return endOffsets(topic());
    }

    /** Where a reader of committed records ends. */
    private static Map<TopicPartition, Long> endOffsets(TopicDescription topic) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = topic.partitions().stream()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(topic.name(), partition.partition()),
                        partition -> OffsetSpec.latest()));
        try {
            Map<TopicPartition, Long> offsets = new HashMap<>();
            admin.listOffsets(ends, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                    .all()
                    .get()
                    .forEach((partition, end) -> offsets.put(partition, end.offset()));
            return offsets;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<TopicPartition, Long> groupOffsets() throws InterruptedException {
        try {
            Map<TopicPartition, Long> offsets = new HashMap<>();
            admin.listConsumerGroupOffsets(stream)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .forEach((partition, offset) -> offsets.put(partition, offset.offset()));
            return offsets;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private TopicDescription topic() throws InterruptedException {
        try {
            return admin.describeTopics(List.of(stream)).allTopicNames().get().get(stream);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> consume(String topic, int count) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (records.size() < count) {
                consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
            }
        }
        return records;
    }

    private static KafkaConsumer<byte[], byte[]> consumer() {
        Properties properties = new Properties();
        properties.setProperty("bootstrap.servers", broker.address());
        properties.setProperty("isolation.level", "read_committed");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        return new String(letter.headers().lastHeader(name).value(), UTF_8);
    }

    private static void delete(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, IOException failure) throws IOException {
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }
}
