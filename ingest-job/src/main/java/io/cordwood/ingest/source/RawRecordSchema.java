package io.cordwood.ingest.source;

import io.cordwood.hot.fetch.ConsumedRecords;
import io.cordwood.hot.log.LogVersion;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Wraps consumed records without decoding them. The source reader provides the topics' ids. */
final class RawRecordSchema implements KafkaRecordDeserializationSchema<RawRecord> {
    private static final long serialVersionUID = 1;

    private final ConcurrentHashMap<String, String> topicIds = new ConcurrentHashMap<>();

    /** Sets the ids of the topics whose records come from now on. */
    void use(Map<String, String> ids) {
        topicIds.putAll(ids);
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> consumed, Collector<RawRecord> out) throws IOException {
        String topicId = topicIds.get(consumed.topic());
        if (topicId == null) {
            throw new IOException(
                    "A record of topic '%s' arrived before the topic's id was known".formatted(consumed.topic()));
        }
        out.collect(new RawRecord(
                topicId, consumed.leaderEpoch().orElse(LogVersion.NO_EPOCH), ConsumedRecords.of(consumed)));
    }

    @Override
    public TypeInformation<RawRecord> getProducedType() {
        return RawRecord.TYPE;
    }
}
