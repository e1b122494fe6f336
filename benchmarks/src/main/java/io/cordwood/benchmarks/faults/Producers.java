package io.cordwood.benchmarks.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Producers that send each its numbered rows at a steady rate, and write into the {@link Ledger} what Kafka says. They
 * never send a number twice: what was not acknowledged stays unknown. Thread-safe.
 */
final class Producers implements AutoCloseable {
    /** Tenants of this rank and lower ones are spread over all partitions. */
    private static final int SPREAD = 10;

    private final Lab lab;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final double rowsPerSecond;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean paused;
    private volatile boolean stopped;
    private volatile int generation;
    private volatile int partitions = Lab.PARTITIONS;
    private int pausedThreads;

    /** @param rowsPerSecond of all producers together */
    Producers(Lab lab, NumberedRow.Maker rows, Ledger ledger, double rowsPerSecond) {
        this.lab = lab;
        this.rows = rows;
        this.ledger = ledger;
        this.rowsPerSecond = rowsPerSecond;
        for (int producer = 0; producer < ledger.producers(); producer++) {
            int number = producer;
            threads.add(Thread.ofPlatform().name("producer-" + producer).start(() -> send(number)));
        }
    }

    private void send(int producer) {
        double nanosPerRow = 1e9 * ledger.producers() / rowsPerSecond;
        long next = System.nanoTime();
        int sent = 0;
        while (sent < ledger.rowsPerProducer() && !stopped) {
            try (KafkaProducer<byte[], byte[]> kafka = new KafkaProducer<>(
                    Map.of(
                            "bootstrap.servers", lab.kafka(),
                            "acks", "all",
                            "compression.type", "lz4",
                            "linger.ms", "5",
                            "max.in.flight.requests.per.connection", "1",
                            "delivery.timeout.ms", "300000",
                            "max.block.ms", "300000"),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                int ofGeneration = generation;
                while (sent < ledger.rowsPerProducer() && !stopped && generation == ofGeneration) {
                    if (paused) {
                        kafka.flush();
                        rest();
                        next = System.nanoTime();
                        continue;
                    }
                    next += (long) nanosPerRow;
                    LockSupport.parkNanos(next - System.nanoTime());
                    send(kafka, producer, sent++, ofGeneration);
                }
                kafka.flush();
            } catch (KafkaException e) {
                System.err.printf("producer %d starts again: %s%n", producer, e.getMessage());
            }
        }
    }

    private void send(KafkaProducer<byte[], byte[]> kafka, int producer, int number, int ofGeneration) {
        NumberedRow row = rows.row(producer, number);
        Integer partition = row.tenant() < SPREAD ? Math.floorMod(number * 31 + producer, partitions) : null;
        byte[] key = NumberedRow.tenantId(row.tenant()).getBytes(UTF_8);
        ledger.sent(producer, number);
        var _ = kafka.send(new ProducerRecord<>(Lab.STREAM, partition, key, row.json()), (metadata, failure) -> {
            if (failure == null) {
                ledger.acknowledged(producer, number, new Place(ofGeneration, metadata.partition(), metadata.offset()));
            }
        });
    }

    private synchronized void rest() {
        pausedThreads++;
        notifyAll();
        try {
            while (paused && !stopped) {
                wait();
            }
        } catch (InterruptedException e) {
            stopped = true;
        } finally {
            pausedThreads--;
        }
    }

    /** Returns when nothing is on its way any more. */
    synchronized void pause() throws InterruptedException {
        paused = true;
        while (pausedThreads < threads.stream().filter(Thread::isAlive).count()) {
            wait(200);
        }
    }

    synchronized void resume() {
        paused = false;
        notifyAll();
    }

    /** The topic has more partitions now. */
    void partitions(int count) {
        partitions = count;
    }

    int generation() {
        return generation;
    }

    /** The topic was made anew; only while paused. */
    synchronized void topicMadeAnew() {
        partitions = Lab.PARTITIONS;
        generation++;
    }

    boolean areDone() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    @Override
    public void close() {
        stopped = true;
        resume();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
