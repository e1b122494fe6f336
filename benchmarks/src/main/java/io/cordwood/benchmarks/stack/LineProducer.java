package io.cordwood.benchmarks.stack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.run.Pace;
import io.cordwood.record.KafkaRecord;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Ships lines to Kafka, keyed by their member {@code tenant_id}. Stateless. */
public final class LineProducer {
    private static final Pattern TENANT = Pattern.compile("\"tenant_id\":(\\d+)");

    private static final byte[] LINES = "application/x-ndjson".getBytes(US_ASCII);

    private LineProducer() {}

    /** The shipped and acknowledged rows. */
    public record Shipped(long rows, long bytes, Set<String> tenants) {}

    private static Map<String, Object> open(String kafka) {
        return Map.of("bootstrap.servers", kafka);
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> kafka) {
        Map<String, Object> properties = new HashMap<>(kafka);
        properties.putAll(Map.of("acks", "all", "compression.type", "lz4", "linger.ms", 20, "batch.size", 256 << 10));
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Ships one row. */
    public static void shipOne(String tenant, String line, String kafka, String topic) throws IOException {
        try (KafkaProducer<byte[], byte[]> producer = producer(open(kafka))) {
            producer.send(new ProducerRecord<>(topic, tenant.getBytes(UTF_8), line.getBytes(UTF_8)))
                    .get();
        } catch (ExecutionException e) {
            throw new IOException("a row was not acknowledged: " + e.getCause().getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Ships the lines once, as fast as Kafka accepts them. */
    public static Shipped ship(Path ndjson, String kafka, String topic) throws IOException {
        return ship(ndjson, open(kafka), topic, Optional.empty(), 1);
    }

    /**
     * Ships the lines once, as fast as Kafka accepts them, those of a tenant in batches.
     *
     * @param batchRows lines of a batch; 1 for a record for each
     */
    public static Shipped ship(Path ndjson, String kafka, String topic, int batchRows) throws IOException {
        return ship(ndjson, open(kafka), topic, Optional.empty(), batchRows);
    }

    /**
     * Ships the lines once, as fast as Kafka accepts them, those of a tenant in batches.
     *
     * @param kafka properties of a Kafka client
     * @param token the token that goes with each record, if any
     * @param batchRows lines of a batch; 1 for a record for each
     */
    public static Shipped ship(
            Path ndjson, Map<String, Object> kafka, String topic, Optional<String> token, int batchRows)
            throws IOException {
        try (Shipment shipment = new Shipment(kafka, topic, token, batchRows)) {
            shipment.ship(ndjson, () -> true);
            return shipment.end();
        }
    }

    /** Ships the lines repeatedly at that pace. */
    public static Shipped ship(Path ndjson, String kafka, String topic, Pace pace) throws IOException {
        try (Shipment shipment = new Shipment(open(kafka), topic, Optional.empty(), 1)) {
            while (shipment.ship(ndjson, pace::next)) {
                // From the beginning of the file.
            }
            return shipment.end();
        }
    }

    /** The lines of a tenant that go together. */
    private static final class Batch {
        private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
        private int rows;
    }

    private static final class Shipment implements Closeable {
        private final AtomicReference<Exception> failure = new AtomicReference<>();
        private final Set<String> tenants = new HashSet<>();
        private final KafkaProducer<byte[], byte[]> producer;
        private final String topic;
        private final Optional<byte[]> token;
        private final int batchRows;
        private final Map<String, Batch> batches = new HashMap<>();
        private long rows;
        private long bytes;

        Shipment(Map<String, Object> kafka, String topic, Optional<String> token, int batchRows) {
            this.batchRows = batchRows;
            this.producer = producer(kafka);
            this.topic = topic;
            this.token = token.map(text -> text.getBytes(US_ASCII));
        }

        /** Ships lines until {@code more} is false; returns whether it shipped all. */
        boolean ship(Path ndjson, BooleanSupplier more) throws IOException {
            try (BufferedReader lines = Files.newBufferedReader(ndjson)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (!more.getAsBoolean()) {
                        return false;
                    }
                    Matcher matcher = TENANT.matcher(line);
                    if (!matcher.find()) {
                        throw new IOException("line %d of %s has no tenant_id".formatted(rows + 1, ndjson));
                    }
                    tenants.add(matcher.group(1));
                    send(matcher.group(1), line.getBytes(UTF_8));
                }
            }
            return true;
        }

        private void send(String tenant, byte[] line) {
            rows++;
            bytes += line.length + 1;
            if (batchRows == 1) {
                send(tenant, line, false);
                return;
            }
            Batch batch = batches.computeIfAbsent(tenant, any -> new Batch());
            batch.lines.writeBytes(line);
            batch.lines.write('\n');
            batch.rows++;
            if (batch.rows == batchRows) {
                send(tenant, batch);
            }
        }

        private void send(String tenant, Batch batch) {
            send(tenant, batch.lines.toByteArray(), true);
            batch.lines.reset();
            batch.rows = 0;
        }

        private void send(String tenant, byte[] value, boolean isBatch) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, tenant.getBytes(UTF_8), value);
            if (isBatch) {
                record.headers().add(KafkaRecord.CONTENT_TYPE_HEADER, LINES);
            }
            token.ifPresent(bytes -> record.headers().add(KafkaRecord.TOKEN_HEADER, bytes));
            var _ = producer.send(record, (metadata, e) -> {
                if (e != null) {
                    failure.compareAndSet(null, e);
                }
            });
        }

        /** Waits for all acknowledgements. */
        Shipped end() throws IOException {
            batches.forEach((tenant, batch) -> {
                if (batch.rows > 0) {
                    send(tenant, batch);
                }
            });
            producer.close();
            if (failure.get() != null) {
                throw new IOException(
                        "a row was not acknowledged: " + failure.get().getMessage(), failure.get());
            }
            return new Shipped(rows, bytes, tenants);
        }

        @Override
        public void close() {
            producer.close();
        }
    }
}
