package io.cordwood.balancer.service;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The space on the disks of Kafka's brokers, as of the last time they were asked. Thread-safe. */
final class BrokerDisks {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerDisks.class);

    private final KafkaView kafka;
    private volatile List<Disk> disks = List.of();

    /**
     * The volume of a broker's log directory.
     *
     * @param totalBytes its size
     * @param usableBytes what is free of it
     */
    record Disk(int broker, String directory, long totalBytes, long usableBytes) {}

    BrokerDisks(KafkaView kafka) {
        this.kafka = kafka;
    }

    /** Asks the brokers. Without an answer nothing is known, and the next call tries again. */
    @SuppressWarnings("CatchingUnchecked")
    void ask() throws InterruptedException {
        try {
            disks = kafka.disks();
        } catch (ExecutionException | RuntimeException e) {
            disks = List.of();
            LOG.warn("Cannot ask Kafka for the space on its disks; it is asked again", e);
        }
    }

    void addTo(PrometheusText text) {
        for (Disk disk : disks) {
            String labels = PrometheusText.labels(
                    Map.of("broker", Integer.toString(disk.broker()), "directory", disk.directory()));
            text.add(
                    "cordwood_balancer_broker_disk_bytes",
                    "size of the volume of a broker's log directory",
                    labels,
                    (double) disk.totalBytes());
            text.add(
                    "cordwood_balancer_broker_disk_usable_bytes",
                    "free bytes on the volume of a broker's log directory",
                    labels,
                    (double) disk.usableBytes());
        }
    }
}
