package io.cordwood.standalone;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Numbered rows at a steady rate, from a thread of its own, until it is closed; number n goes to partition n modulo 4.
 */
final class SteadyRows implements AutoCloseable {
    static final int PER_SECOND = 10_000;
    static final int PARTITIONS = 4;
    private static final int BATCH = 100;
    private static final long NANOS_PER_BATCH = 1_000_000_000L * BATCH / PER_SECOND;

    private final KafkaProducer<String, String> producer;
    private final String stream;
    private final CompletableFuture<Void> sending;
    private volatile boolean stopped;

    SteadyRows(String kafka, String stream) {
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka, "linger.ms", 5), new StringSerializer(), new StringSerializer());
        this.stream = stream;
        sending = CompletableFuture.runAsync(
                this::send, task -> Thread.ofPlatform().name("steady-rows").start(task));
    }

    private void send() {
        long due = System.nanoTime();
        for (int n = 0; !stopped; n++) {
            if (n % BATCH == 0) {
                due += NANOS_PER_BATCH;
                LockSupport.parkNanos(due - System.nanoTime());
            }
            var _ = producer.send(new ProducerRecord<>(
                    stream, n % PARTITIONS, "acme", "{\"n\":%d,\"message\":\"request was served\"}".formatted(n)));
        }
    }

    @Override
    public void close() {
        stopped = true;
        sending.join();
        producer.close();
    }
}
