package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.testing.Records;
import java.io.IOException;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class PartitionEventSerializerTest {
    private final PartitionEventSerializer serializer = new PartitionEventSerializer();

    @Test
    void readsWhatItWrote() throws IOException {
        OffsetAdvance empty = new OffsetAdvance(new LogPartition("logs", "id", 3), 42);
        assertThat(copy(empty)).isEqualTo(empty);

        RawRecord first = Records.json(3, 41, "acme", 5);
        RawRecord second = Records.json(3, 45, "beta", 6);
        RawRecords records = new RawRecords(first.partition(), 5, List.of(first.kafka(), second.kafka()));
        assertThat(copy(records)).usingRecursiveComparison().isEqualTo(records);
    }

    @Test
    void refusesWhatIsNoEvent() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(new OffsetAdvance(new LogPartition("logs", "id", 3), 42), out);
        byte[] bytes = out.getCopyOfBuffer();
        bytes[1] = 7;
        assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
                .isInstanceOf(IOException.class)
                .hasMessage("There is no partition event of kind 7");
    }

    @Test
    void refusesOtherVersions() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(new OffsetAdvance(new LogPartition("logs", "id", 3), 42), out);
        byte[] bytes = out.getCopyOfBuffer();
        bytes[0] = 1;
        assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "PartitionEventSerializer has version 1, but this program reads versions 2 to 2");
    }

    private PartitionEvent copy(PartitionEvent event) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(event, out);
        return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
    }
}
