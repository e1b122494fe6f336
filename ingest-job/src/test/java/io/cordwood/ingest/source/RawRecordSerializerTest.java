package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.testing.Records;
import io.cordwood.record.KafkaRecord;
import java.io.IOException;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

class RawRecordSerializerTest {
    private final RawRecordSerializer serializer = new RawRecordSerializer();

    @Property(tries = 200)
    void readsWhatItWrote(
            @ForAll String stream,
            @ForAll int partition,
            @ForAll long offset,
            @ForAll byte[] key,
            @ForAll byte[] value,
            @ForAll byte[] tenant,
            @ForAll byte[] contentType)
            throws IOException {
        KafkaRecord kafka = new KafkaRecord(stream, partition, offset, 5, key, value, tenant, contentType, "too large");
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(new RawRecord(stream + "-id", 5, kafka), out);

        RawRecord read = serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));

        // jqwik makes unpaired surrogates, which UTF-8 has no bytes for; Kafka's names have none.
        assertThat(read.kafka().partition()).isEqualTo(partition);
        assertThat(read.kafka().offset()).isEqualTo(offset);
        assertThat(read.kafka().appendTimeMicros()).isEqualTo(5);
        assertThat(read.kafka().key()).isEqualTo(key);
        assertThat(read.kafka().value()).isEqualTo(value);
        assertThat(read.kafka().tenantHeader()).isEqualTo(tenant);
        assertThat(read.kafka().contentType()).isEqualTo(contentType);
        assertThat(read.kafka().refusal()).isEqualTo("too large");
        assertThat(read.leaderEpoch()).isEqualTo(5);
        assertThat(read.topicId()).isEqualTo(read.kafka().stream() + "-id");
    }

    @Example
    void refusesOtherVersions() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(Records.json(3, 41, "acme", 5), out);
        for (byte version : new byte[] {0, 1, 3}) {
            byte[] bytes = out.getCopyOfBuffer();
            bytes[0] = version;
            assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "RawRecordSerializer has version %d, but this program reads versions 2 to 2; use the program that wrote it",
                            version);
        }
    }
}
