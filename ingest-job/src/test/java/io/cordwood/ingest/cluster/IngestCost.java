package io.cordwood.ingest.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.CatalogClient;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Says what the job costs: rows for each second of its process's CPU, from Kafka to committed. Run by hand:
 * {@code IngestCost FILE.ndjson DIRECTORY [--option value ...]}, the options being the job's.
 */
final class IngestCost {
    private static final String STREAM = "request_log";
    private static final int PARTITIONS = 4;
    private static final Pattern TENANT = Pattern.compile("\"tenant_id\": ?\"?([^\",]+)");

    private IngestCost() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        Path home = Files.createTempDirectory(Path.of(arguments[1]), "ingest-cost-");
        try (Service broker = TestServices.kafka();
                CatalogServer server = CatalogServer.start(new CatalogServerOptions(
                        "127.0.0.1",
                        0,
                        "jdbc:sqlite:" + home.resolve("catalog.db"),
                        home.resolve("warehouse").toString(),
                        Map.of()));
                CatalogClient catalog = CatalogClient.connect(server.uri(), Map.of());
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            createTopic(admin);
            long bytes = Files.size(file);
            List<String> options = new ArrayList<>(List.of(
                    "--bootstrap-servers", broker.address(),
                    "--catalog-uri", server.uri().toString(),
                    "--streams", STREAM,
                    "--checkpoint-dir", home.resolve("checkpoints").toString(),
                    "--work-dir", Files.createDirectories(home.resolve("work")).toString(),
                    "--rest-port", "0"));
            options.addAll(List.of(arguments).subList(2, arguments.length));
            try (JavaProcess job = JavaProcess.start(
                    home.resolve("job.log"), "2g", "io.cordwood.ingest.cluster.IngestCluster", options)) {
                Waiting.until("the job runs", () -> job.log().contains("Reading " + STREAM));
                Duration idle = job.cpu();
                long started = System.nanoTime();
                long rows = produce(broker.address(), file);
                Waiting.until("all rows are archived", () -> {
                    if (!job.isAlive()) {
                        throw new IllegalStateException(job.log());
                    }
                    return archived(catalog) == rows;
                });
                double seconds = (System.nanoTime() - started) / 1e9;
                double cpu = job.cpu().minus(idle).toMillis() / 1e3;
                System.out.printf(
                        "rows=%d seconds=%.1f cpu_seconds=%.1f idle_cpu_seconds=%.1f rows_per_cpu_second=%.0f stored_per_raw=%.3f files=%d%n",
                        rows,
                        seconds,
                        cpu,
                        idle.toMillis() / 1e3,
                        rows / cpu,
                        (double) stored(home).sum() / bytes,
                        stored(home).count());
            }
        }
    }

    private static void createTopic(Admin admin) throws Exception {
        KafkaTopics.create(
                admin,
                new NewTopic(STREAM, PARTITIONS, (short) 1).configs(Map.of("message.timestamp.type", "LogAppendTime")));
    }

    private static long produce(String address, Path file) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", address, "linger.ms", "20", "compression.type", "lz4"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher tenant = TENANT.matcher(line);
                String key = tenant.find() ? tenant.group(1) : "none";
                sent.add(producer.send(new ProducerRecord<>(STREAM, key.getBytes(UTF_8), line.getBytes(UTF_8))));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }
        return sent.size();
    }

    private static long archived(CatalogClient catalog) {
        return catalog.archivedThrough(STREAM).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static LongStream stored(Path home) throws IOException {
        try (Stream<Path> files = Files.walk(home.resolve("warehouse"))) {
            return files
                    .filter(path -> path.toString().endsWith(".parquet"))
                    .mapToLong(path -> path.toFile().length())
                    .boxed()
                    .toList()
                    .stream()
                    .mapToLong(Long::longValue);
        }
    }
}
