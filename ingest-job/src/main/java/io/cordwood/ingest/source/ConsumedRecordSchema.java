package io.cordwood.ingest.source;

import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Passes consumed records on as they are; they do not leave the source's reader. Stateless. */
final class ConsumedRecordSchema implements KafkaRecordDeserializationSchema<ConsumerRecord<byte[], byte[]>> {
    private static final long serialVersionUID = 1;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> consumed, Collector<ConsumerRecord<byte[], byte[]>> out) {
        out.collect(consumed);
    }

    @Override
    public TypeInformation<ConsumerRecord<byte[], byte[]>> getProducedType() {
        return TypeInformation.of(new TypeHint<>() {});
    }
}
