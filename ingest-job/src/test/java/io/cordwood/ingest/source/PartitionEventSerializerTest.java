package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.Records;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class PartitionEventSerializerTest {
    private final PartitionEventSerializer serializer = new PartitionEventSerializer();

    @Test
    void readsWhatItWrote() throws IOException {
        EmptyBelow empty = new EmptyBelow(new LogPartition("logs", "id", 3), 42);
        assertThat(copy(empty)).isEqualTo(empty);

        RawRecord record = Records.json(3, 41, "acme", 5);
        assertThat(copy(record)).isInstanceOfSatisfying(RawRecord.class, read -> {
            assertThat(read.partition()).isEqualTo(record.partition());
            assertThat(read.kafka().offset()).isEqualTo(41);
        });
    }

    private PartitionEvent copy(PartitionEvent event) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(event, out);
        return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
    }
}
