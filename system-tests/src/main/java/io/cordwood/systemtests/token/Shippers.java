package io.cordwood.systemtests.token;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.KafkaRecord;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.Ledger.Lane;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.ledger.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Producers that send numbered rows of all tenants at a steady rate, each record with the producer's current token of
 * the tenant. Some records have another tenant's token, or none. Thread-safe.
 */
final class Shippers implements AutoCloseable {
    /** One record of this number has the token of another tenant, and one has none. */
    private static final int FORGED = 40;

    private final Map<String, Object> kafka;
    private final String stream;
    private final int partitions;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final ShipperTokens tokens;
    private final double rowsPerSecond;
    private final Map<Lane, Long> lastOffsets = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /**
     * Starts them.
     *
     * @param kafka properties of a client that may write to the stream
     * @param rowsPerSecond rate of all producers together
     */
    Shippers(
            Map<String, Object> kafka,
            String stream,
            int partitions,
            NumberedRow.Maker rows,
            Ledger ledger,
            ShipperTokens tokens,
            double rowsPerSecond) {
        this.kafka = new HashMap<>(kafka);
        this.kafka.putAll(Map.of(
                "acks",
                "all",
                "compression.type",
                "lz4",
                "linger.ms",
                "5",
                "delivery.timeout.ms",
                "300000",
                "max.block.ms",
                "300000"));
        this.stream = stream;
        this.partitions = partitions;
        this.rows = rows;
        this.ledger = ledger;
        this.tokens = tokens;
        this.rowsPerSecond = rowsPerSecond;
        for (int producer = 0; producer < ledger.producers(); producer++) {
            int number = producer;
            threads.add(Thread.ofPlatform().name("shipper-" + producer).start(() -> ship(number)));
        }
    }

    private void ship(int producer) {
        double nanosPerRow = 1e9 * ledger.producers() / rowsPerSecond;
        long next = System.nanoTime();
        while (isShipping(producer)) {
            try (KafkaProducer<byte[], byte[]> client =
                    new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer())) {
                while (isShipping(producer)) {
                    next += (long) nanosPerRow;
                    LockSupport.parkNanos(next - System.nanoTime());
                    ship(client, rows.row(producer, ledger.next(producer)));
                }
            } catch (KafkaException e) {
                System.err.printf("producer %d starts again: %s%n", producer, e.getMessage());
            }
        }
    }

    private boolean isShipping(int producer) {
        return !stopped && ledger.next(producer) < ledger.rowsPerProducer();
    }

    private void ship(KafkaProducer<byte[], byte[]> client, NumberedRow row) {
        ProducerRecord<byte[], byte[]> shipped = new ProducerRecord<>(
                stream,
                Math.floorMod(row.number() * 31 + row.producer() + row.tenant(), partitions),
                NumberedRow.tenantId(row.tenant()).getBytes(UTF_8),
                row.json());
        int choice = Math.floorMod(row.number() * 7 + row.producer(), FORGED);
        if (choice > 0) {
            int tenant = choice == 1 ? (row.tenant() + 1) % rows.tenants() : row.tenant();
            shipped.headers()
                    .add(
                            KafkaRecord.TOKEN_HEADER,
                            tokens.current(row.producer(), tenant).getBytes(US_ASCII));
        }
        ledger.sent(row.producer(), row.number());
        var _ = client.send(shipped, (metadata, failure) -> {
            if (failure == null) {
                Place place = new Place(0, metadata.partition(), metadata.offset());
                ledger.acknowledged(row.producer(), row.number(), place);
                lastOffsets.merge(new Lane(row.tenant(), 0, place.partition()), place.offset(), Math::max);
            }
        });
    }

    /** The highest acknowledged offset of each tenant and partition. */
    Map<Lane, Long> lastOffsets() {
        return Map.copyOf(lastOffsets);
    }

    boolean areDone() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    @Override
    public void close() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
