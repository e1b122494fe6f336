package io.cordwood.systemtests.hot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.systemtests.lab.Lab;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends rows of other tenants at a steady rate, on its own thread, until it is closed. */
final class HotLoad implements AutoCloseable {
    private static final int TENANTS = 200;
    private static final int BATCH = 30;

    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread thread;
    private volatile boolean stopped;

    HotLoad(Lab lab, int rowsPerSecond) {
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", lab.kafka(), "compression.type", "lz4", "linger.ms", 5),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        thread = Thread.ofPlatform().name("load").start(() -> send((long) (1e9 * BATCH / rowsPerSecond)));
    }

    private void send(long nanosPerBatch) {
        long next = System.nanoTime();
        for (long row = 0; !stopped; row++) {
            if (row % BATCH == 0) {
                next += nanosPerBatch;
                LockSupport.parkNanos(next - System.nanoTime());
            }
            byte[] tenant = ("load" + row * 31 % TENANTS).getBytes(UTF_8);
            var _ = producer.send(new ProducerRecord<>(
                    Lab.STREAM,
                    tenant,
                    "{\"n\":%d,\"level\":\"INFO\",\"message\":\"connection reset by peer %d\"}"
                            .formatted(row, row)
                            .getBytes(UTF_8)));
        }
    }

    @Override
    public void close() {
        stopped = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        producer.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
