package io.cordwood.systemtests.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.routing.CordwoodPartitioner;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.Ledger.Lane;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.ledger.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One producer per tenant. Each sends numbered rows at its own rate and follows the routing table, as {@code
 * bin/cordwood produce} does. Thread-safe.
 */
public final class TenantLoad implements AutoCloseable {
    private static final long TICK_NANOS = 10_000_000;
    private static final int BATCH_BYTES = 8 << 10;
    /** Small, so that a throttled producer soon waits instead of sending old rows for long. */
    private static final int BUFFER_BYTES = 256 << 10;

    private static final int TIMEOUT_MILLIS = 900_000;
    private static final int METADATA_MILLIS = 5_000;

    private final Lab lab;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final double[] rates;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    private final Map<Lane, Long> firstRows = new ConcurrentHashMap<>();
    private final AtomicLongArray acknowledged;
    private volatile boolean stopped;

    /** The time of a row from the send call to its acknowledgement. */
    public record Sent(int tenant, long atMillis, double millis) {}

    /**
     * Starts them.
     *
     * @param rates rows a second of each tenant
     */
    public TenantLoad(Lab lab, NumberedRow.Maker rows, Ledger ledger, double[] rates) {
        this.lab = lab;
        this.rows = rows;
        this.ledger = ledger;
        this.rates = rates.clone();
        this.acknowledged = new AtomicLongArray(rates.length);
        for (int tenant = 0; tenant < rates.length; tenant++) {
            int number = tenant;
            threads.add(Thread.ofPlatform().name("tenant-" + tenant).start(() -> send(number)));
        }
    }

    public synchronized void rate(int tenant, double rowsPerSecond) {
        rates[tenant] = rowsPerSecond;
    }

    private synchronized double rate(int tenant) {
        return rates[tenant];
    }

    /** Number of acknowledged rows of each tenant. */
    public long[] acknowledged() {
        return IntStream.range(0, acknowledged.length())
                .mapToLong(acknowledged::get)
                .toArray();
    }

    /** A {@link Sent} for one row of each tick. */
    public List<Sent> sent() {
        return List.copyOf(sent);
    }

    /**
     * The time when the first row of a tenant was acknowledged in a partition that it did not use before the given
     * time.
     */
    public Optional<Long> firstElsewhere(int tenant, long afterMillis) {
        return firstRows.entrySet().stream()
                .filter(first -> first.getKey().tenant() == tenant && first.getValue() > afterMillis)
                .map(Map.Entry::getValue)
                .min(Long::compare);
    }

    private void send(int tenant) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "bootstrap.servers",
                lab.kafka(),
                // The balancer may throttle it by this client id.
                "client.id",
                NumberedRow.tenantId(tenant),
                "compression.type",
                "lz4",
                "linger.ms",
                5,
                "batch.size",
                BATCH_BYTES,
                "buffer.memory",
                BUFFER_BYTES,
                "max.block.ms",
                TIMEOUT_MILLIS,
                "delivery.timeout.ms",
                TIMEOUT_MILLIS,
                // The delay until new partitions are known.
                "metadata.max.age.ms",
                METADATA_MILLIS));
        properties.put("partitioner.class", CordwoodPartitioner.class.getName());
        properties.put(CordwoodPartitioner.REDIS_URL, lab.redis());
        try (KafkaProducer<byte[], byte[]> kafka =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            double due = 0;
            long last = System.nanoTime();
            while (!stopped) {
                LockSupport.parkNanos(TICK_NANOS);
                long now = System.nanoTime();
                // A throttled producer catches up at most a second.
                due = Math.min(due + rate(tenant) * (now - last) / 1e9, Math.max(1, rate(tenant)));
                last = now;
                for (boolean timed = true; due >= 1 && !stopped; due--) {
                    send(kafka, rows.row(tenant, ledger.next(tenant)), timed);
                    timed = false;
                }
            }
        }
    }

    private void send(KafkaProducer<byte[], byte[]> kafka, NumberedRow row, boolean timed) {
        int tenant = row.tenant();
        ledger.sent(tenant, row.number());
        long begun = System.nanoTime();
        var _ = kafka.send(
                new ProducerRecord<>(Lab.STREAM, NumberedRow.tenantId(tenant).getBytes(UTF_8), row.json()),
                (metadata, failure) -> {
                    if (failure != null) {
                        return; // The outcome stays unknown in the ledger.
                    }
                    long now = System.currentTimeMillis();
                    ledger.acknowledged(tenant, row.number(), new Place(0, metadata.partition(), metadata.offset()));
                    acknowledged.incrementAndGet(tenant);
                    firstRows.putIfAbsent(new Lane(tenant, 0, metadata.partition()), now);
                    if (timed) {
                        sent.add(new Sent(tenant, now, (System.nanoTime() - begun) / 1e6));
                    }
                });
    }

    /** Returns when the outcome of all rows is known. */
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
