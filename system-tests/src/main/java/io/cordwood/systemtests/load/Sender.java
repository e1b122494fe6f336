package io.cordwood.systemtests.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends rows of one producer, and records their outcomes in the {@link Ledger}. Not thread-safe. */
abstract class Sender implements AutoCloseable {
    /** Tenants of lower ranks are spread over all partitions; the others go to the partition of their key's hash. */
    private static final int SPREAD = 10;

    protected final KafkaProducer<byte[], byte[]> kafka;
    protected final Ledger ledger;
    protected final int producer;
    protected final int generation;

    protected Sender(Lab lab, Ledger ledger, int producer, int generation, Map<String, Object> more) {
        this.ledger = ledger;
        this.producer = producer;
        this.generation = generation;
        Map<String, Object> properties = new HashMap<>(Map.of(
                "bootstrap.servers",
                lab.kafka(),
                "acks",
                "all",
                "compression.type",
                "lz4",
                "linger.ms",
                "5",
                "max.in.flight.requests.per.connection",
                "1",
                "delivery.timeout.ms",
                "300000",
                "max.block.ms",
                "300000"));
        properties.putAll(more);
        kafka = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    abstract void send(NumberedRow row, int partitions);

    /** Returns when the outcome of all rows is known, or will never be. */
    abstract void settle();

    protected static ProducerRecord<byte[], byte[]> toRecord(NumberedRow row, int partitions) {
        Integer partition =
                row.tenant() < SPREAD ? Math.floorMod(row.number() * 31 + row.producer(), partitions) : null;
        return new ProducerRecord<>(
                Lab.STREAM, partition, NumberedRow.tenantId(row.tenant()).getBytes(UTF_8), row.json());
    }

    @Override
    public void close() {
        kafka.close();
    }
}
