package io.cordwood.systemtests.balance;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.ledger.Place;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Capacities of workers: their throughput while more records wait than they can ingest. For one thread. */
final class Saturation {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    /** No backlog remains when no record waited longer. */
    private static final long NOTHING_LEFT_MILLIS = 0;

    private final Lab lab;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final Report report;

    /** The capacity of a worker. */
    record Capacity(double rowsPerSecond, double bytesPerSecond) {
        static final Capacity NONE = new Capacity(0, 0);

        Capacity plus(Capacity other) {
            return new Capacity(rowsPerSecond + other.rowsPerSecond, bytesPerSecond + other.bytesPerSecond);
        }
    }

    /** Times and amounts of a saturated worker. */
    private record Work(long millis, long records, long bytes) {
        Work plus(Work other) {
            return new Work(millis + other.millis, records + other.records, bytes + other.bytes);
        }
    }

    Saturation(Lab lab, NumberedRow.Maker rows, Ledger ledger, Report report) {
        this.lab = lab;
        this.rows = rows;
        this.ledger = ledger;
        this.report = report;
    }

    /**
     * Sends rows into some partitions as fast as Kafka accepts them, and waits until they are ingested.
     *
     * @param producer the producer of the rows
     * @return the mean capacity of the workers that had work
     */
    Capacity measure(String name, int producer, int count, int partitions) throws Exception {
        try (IngestWatch watch = new IngestWatch(lab)) {
            long begun = System.currentTimeMillis();
            flood(producer, count, partitions);
            long sent = System.currentTimeMillis();
            Await.await(TIMEOUT, "the flood is ingested", () -> watch.isLevel(sent, NOTHING_LEFT_MILLIS));
            Map<String, Capacity> capacities = capacities(watch.between(begun, Long.MAX_VALUE));
            if (capacities.isEmpty()) {
                throw new IllegalStateException(
                        "The flood of %d rows was ingested too fast to measure".formatted(count));
            }
            Capacity sum = capacities.values().stream().reduce(Capacity.NONE, Capacity::plus);
            int workers = capacities.size();
            report.add(name, "workers_with_work", workers, "workers");
            report.add(name, "worker_capacity_rows_per_second", sum.rowsPerSecond() / workers, "rows/s");
            report.add(name, "worker_capacity_bytes_per_second", sum.bytesPerSecond() / workers, "bytes/s");
            return new Capacity(sum.rowsPerSecond() / workers, sum.bytesPerSecond() / workers);
        }
    }

    private void flood(int producer, int count, int partitions) {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers",
                lab.kafka(),
                "compression.type",
                "lz4",
                "linger.ms",
                "20",
                "batch.size",
                256 << 10);
        byte[] tenant = NumberedRow.tenantId(producer).getBytes(UTF_8);
        try (KafkaProducer<byte[], byte[]> kafka =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                NumberedRow row = rows.row(producer, ledger.next(producer));
                ledger.sent(producer, row.number());
                var _ = kafka.send(
                        new ProducerRecord<>(Lab.STREAM, i % partitions, tenant, row.json()), (metadata, failure) -> {
                            if (failure == null) {
                                ledger.acknowledged(
                                        producer, row.number(), new Place(0, metadata.partition(), metadata.offset()));
                            }
                        });
            }
        }
    }

    /** Work by worker, over the intervals at whose ends records were waiting. */
    static Map<String, Capacity> capacities(List<IngestReport> intervals) {
        Map<String, Map<Long, Work>> byWorker = new TreeMap<>();
        Map<String, Map<Long, Boolean>> busy = new HashMap<>();
        for (IngestReport interval : intervals) {
            // All partitions of a worker cover the same interval.
            byWorker.computeIfAbsent(interval.worker(), unknown -> new TreeMap<>())
                    .merge(
                            interval.fromMillis(),
                            new Work(interval.toMillis() - interval.fromMillis(), interval.records(), interval.bytes()),
                            (a, b) -> new Work(a.millis(), a.records() + b.records(), a.bytes() + b.bytes()));
            busy.computeIfAbsent(interval.worker(), unknown -> new HashMap<>())
                    .merge(interval.fromMillis(), interval.lag() > 0, Boolean::logicalOr);
        }
        Map<String, Capacity> capacities = new TreeMap<>();
        byWorker.forEach((worker, times) -> {
            // In the first interval, records arrived only later.
            Work work = times.entrySet().stream()
                    .filter(time -> busy.get(worker).get(time.getKey()))
                    .skip(1)
                    .map(Map.Entry::getValue)
                    .reduce(new Work(0, 0, 0), Work::plus);
            if (work.millis() > 0) {
                capacities.put(
                        worker, new Capacity(1e3 * work.records() / work.millis(), 1e3 * work.bytes() / work.millis()));
            }
        });
        return capacities;
    }
}
