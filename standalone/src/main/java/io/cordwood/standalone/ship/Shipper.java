package io.cordwood.standalone.ship;

import io.cordwood.record.KafkaRecord;
import io.cordwood.routing.CordwoodPartitioner;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Ships rows of one stream, one or several a record, and counts those that are acknowledged. For one sending thread;
 * any thread may call {@link #shipment()}.
 */
public final class Shipper implements AutoCloseable {
    private static final int LARGEST_REQUEST_BYTES = (16 << 20) + (32 << 10);
    private static final int TIMEOUT_MILLIS = 10_000;
    /** The first handshake and login of a JVM may take more than ten seconds while services start beside it. */
    private static final int ANSWER_MILLIS = 30_000;

    private static final byte[] LINES = "application/x-ndjson".getBytes(StandardCharsets.US_ASCII);

    private final String stream;
    private final Producer<byte[], byte[]> producer;
    private final Optional<? extends Supplier<String>> token;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicReference<String> failure = new AtomicReference<>("");
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    private Shipper(String stream, Producer<byte[], byte[]> producer, Optional<? extends Supplier<String>> token) {
        this.stream = stream;
        this.producer = producer;
        this.token = token;
    }

    /** Connects, to ship records without a token. */
    public static Shipper connect(String kafka, String redis, String stream, Properties extra)
            throws InterruptedException {
        return connect(kafka, redis, stream, extra, Optional.empty());
    }

    /**
     * Connects.
     *
     * @param kafka {@code host:port}
     * @param redis address of the routing tables; if empty, records go to the partition of their tenant's hash
     * @param extra the user's client properties, for instance for TLS
     * @param token gives the token that lets records name their tenant; absent: they carry none
     * @throws CordwoodException if Kafka does not answer, or has no such stream
     */
    public static Shipper connect(
            String kafka, String redis, String stream, Properties extra, Optional<? extends Supplier<String>> token)
            throws InterruptedException {
        Map<String, Object> properties = new HashMap<>();
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        extra.stringPropertyNames().forEach(name -> properties.put(name, extra.getProperty(name)));
        requireStream(kafka, stream, properties);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 30_000);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 60_000L);
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        properties.put(ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG, 1);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 1 << 20);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 20);
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 96L << 20);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_REQUEST_BYTES);
        if (!redis.isEmpty()) {
            properties.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, CordwoodPartitioner.class.getName());
            properties.put(CordwoodPartitioner.REDIS_URL, redis);
        }
        return new Shipper(
                stream, new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()), token);
    }

    /** Hands a record of one row to the producer; waits while its buffers are full. */
    public void send(String tenant, byte[] value) {
        send(new ProducerRecord<>(stream, tenant.getBytes(StandardCharsets.UTF_8), value), 1);
    }

    /** The same for a record of several rows: JSON objects, one a line. */
    public void sendLines(String tenant, byte[] lines, int count) {
        ProducerRecord<byte[], byte[]> batch =
                new ProducerRecord<>(stream, tenant.getBytes(StandardCharsets.UTF_8), lines);
        batch.headers().add(KafkaRecord.CONTENT_TYPE_HEADER, LINES);
        send(batch, count);
    }

    private void send(ProducerRecord<byte[], byte[]> shipped, int rows) {
        try {
            sent.addAndGet(rows);
            bytes.addAndGet(shipped.value().length);
            token.ifPresent(current -> shipped.headers()
                    .add(KafkaRecord.TOKEN_HEADER, current.get().getBytes(StandardCharsets.US_ASCII)));
            // The callback receives the outcome.
            Future<RecordMetadata> _ = producer.send(shipped, (metadata, error) -> {
                if (error == null) {
                    acknowledged.addAndGet(rows);
                } else {
                    failure.compareAndSet("", Errors.text(error));
                }
            });
        } catch (KafkaException e) {
            failure.compareAndSet("", Errors.text(e));
        }
    }

    /** The progress; final after {@link #flush}. */
    public Shipment shipment() {
        return new Shipment(sent.get(), acknowledged.get(), bytes.get(), failure.get());
    }

    /** Waits until every sent record is acknowledged or has failed. */
    public void flush() {
        producer.flush();
    }

    @Override
    public void close() {
        producer.close();
    }

    private static void requireStream(String kafka, String stream, Map<String, Object> properties)
            throws InterruptedException {
        Map<String, Object> adminProperties = new HashMap<>(properties);
        adminProperties.put("default.api.timeout.ms", ANSWER_MILLIS);
        try (Admin admin = Admin.create(adminProperties)) {
            admin.describeTopics(List.of(stream)).allTopicNames().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new CordwoodException(
                        "there is no stream %s in Kafka at %s (see `bin/cordwood up --streams`)"
                                .formatted(stream, kafka),
                        e);
            }
            throw new CordwoodException(
                    "Kafka at %s does not answer: %s".formatted(kafka, Errors.text(e.getCause())), e);
        } catch (KafkaException e) {
            throw new CordwoodException("cannot use Kafka at %s: %s".formatted(kafka, Errors.text(e)), e);
        }
    }
}
