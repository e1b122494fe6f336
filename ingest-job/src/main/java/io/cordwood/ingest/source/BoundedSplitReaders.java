package io.cordwood.ingest.source;

import io.cordwood.hot.fetch.BoundedFetches;
import java.lang.reflect.Field;
import java.util.Properties;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.connector.kafka.source.reader.KafkaPartitionSplitReader;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Creates the connector's partition readers, with consumers that unpack within limits. Stateless. */
final class BoundedSplitReaders {
    private BoundedSplitReaders() {}

    /**
     * Connects a reader to Kafka.
     *
     * @throws IllegalStateException if this version of the connector has an unexpected structure
     */
    static KafkaPartitionSplitReader open(
            Properties properties, SourceReaderContext context, KafkaSourceReaderMetrics metrics) {
        KafkaPartitionSplitReader reader = new KafkaPartitionSplitReader(properties, context, metrics);
        BoundedFetches.bounded(consumer(reader));
        return reader;
    }

    @SuppressWarnings("unchecked") // the field's type is erased
    private static KafkaConsumer<byte[], byte[]> consumer(KafkaPartitionSplitReader reader) {
        try {
            Field consumer = KafkaPartitionSplitReader.class.getDeclaredField("consumer");
            consumer.setAccessible(true);
            return (KafkaConsumer<byte[], byte[]>) consumer.get(reader);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "Cannot bound the records that the source unpacks: this version of flink-connector-kafka is not the one that Cordwood was built with",
                    e);
        }
    }
}
