package io.cordwood.gateway.send;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.record.KafkaRecord;
import io.cordwood.routing.CordwoodPartitioner;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes rows to Kafka, by the routing tables, and waits until they are acknowledged. Thread-safe. */
public final class RecordSender implements AutoCloseable {
    /** Until Kafka has acknowledged a record, or the request fails. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private static final int REQUEST_MILLIS = 5_000;
    private static final int LINGER_MILLIS = 5;
    private static final int BATCH_BYTES = 1 << 20;
    private static final int LARGEST_REQUEST_BYTES = (16 << 20) + (32 << 10);

    private static final Logger LOG = LoggerFactory.getLogger(RecordSender.class);

    private final Producer<byte[], byte[]> producer;
    private final Optional<Supplier<String>> token;

    private RecordSender(Producer<byte[], byte[]> producer, Optional<Supplier<String>> token) {
        this.producer = producer;
        this.token = token;
    }

    /**
     * Connects.
     *
     * @param client properties of Kafka's client: brokers, SASL, TLS
     * @param redis holds the routing tables
     * @param bufferBytes memory for records that are not acknowledged
     * @param token proves that records may name their tenants; empty: they bear none
     */
    public static RecordSender connect(
            Properties client, URI redis, long bufferBytes, Optional<Supplier<String>> token) {
        Map<String, Object> properties = new HashMap<>();
        client.stringPropertyNames().forEach(name -> properties.put(name, client.getProperty(name)));
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, "cordwood-gateway");
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) MAX_WAIT.toMillis());
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_WAIT.toMillis());
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        properties.put(ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG, 1);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, bufferBytes);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_REQUEST_BYTES);
        properties.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, CordwoodPartitioner.class.getName());
        properties.put(CordwoodPartitioner.REDIS_URL, redis.toString());
        return new RecordSender(
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()), token);
    }

    /**
     * Writes records of one tenant, and returns when Kafka has acknowledged all of them.
     *
     * @param payloads by stream
     * @throws RefusedException if one was not acknowledged in time. Others may have been: who sends again makes their
     *     rows double
     */
    public void send(String tenant, Map<String, List<Payload>> payloads) throws InterruptedException {
        byte[] key = tenant.getBytes(UTF_8);
        Optional<byte[]> proof = token.map(current -> current.get().getBytes(US_ASCII));
        Outcome outcome =
                new Outcome(payloads.values().stream().mapToInt(List::size).sum());
        for (Map.Entry<String, List<Payload>> each : payloads.entrySet()) {
            for (Payload payload : each.getValue()) {
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(each.getKey(), key, payload.value());
                record.headers()
                        .add(
                                KafkaRecord.CONTENT_TYPE_HEADER,
                                payload.format().mediaType().getBytes(US_ASCII));
                proof.ifPresent(present -> record.headers().add(KafkaRecord.TOKEN_HEADER, present));
                send(record, outcome);
                // Without brokers each would wait for them again
                outcome.requireNoFailure();
            }
        }
        outcome.await();
    }

    private void send(ProducerRecord<byte[], byte[]> record, Outcome outcome) throws InterruptedException {
        try {
            // The callback receives the outcome
            Future<RecordMetadata> _ = producer.send(record, outcome);
        } catch (InterruptException e) {
            throw (InterruptedException) new InterruptedException().initCause(e);
        } catch (KafkaException e) {
            throw refused(e);
        }
    }

    private static RefusedException refused(Exception failure) {
        if (failure instanceof RecordTooLargeException) {
            return new RefusedException(Reason.TOO_LARGE, "A row is larger than Kafka takes");
        }
        LOG.warn("Kafka did not acknowledge a record", failure);
        return RefusedException.unavailable(
                "Kafka did not acknowledge the rows in %d s: send them again".formatted(MAX_WAIT.toSeconds()), failure);
    }

    /** The outcome of several records. */
    private static final class Outcome implements Callback {
        private final CountDownLatch waiting;
        private final AtomicReference<Exception> failure = new AtomicReference<>();

        Outcome(int records) {
            waiting = new CountDownLatch(records);
        }

        @Override
        public void onCompletion(RecordMetadata metadata, Exception error) {
            if (error != null) {
                failure.compareAndSet(null, error);
            }
            waiting.countDown();
        }

        void await() throws InterruptedException {
            waiting.await();
            requireNoFailure();
        }

        void requireNoFailure() {
            if (failure.get() != null) {
                throw refused(failure.get());
            }
        }
    }

    /** Waits a little for records under way. */
    @Override
    public void close() {
        producer.close(MAX_WAIT);
    }
}
