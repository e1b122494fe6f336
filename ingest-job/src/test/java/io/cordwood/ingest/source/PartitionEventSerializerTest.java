package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.testing.Records;
import io.cordwood.record.KafkaRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

class PartitionEventSerializerTest {
    private static final byte[] EMPTY = new byte[0];

    private final PartitionEventSerializer serializer = new PartitionEventSerializer();

    @Property(tries = 200)
    void readsTheRecordsThatItWrote(
            @ForAll long offset,
            @ForAll byte[] key,
            @ForAll byte[] value,
            @ForAll byte[] tenant,
            @ForAll byte[] contentType,
            @ForAll byte[] token)
            throws IOException {
        KafkaRecord record = new KafkaRecord(offset, 5, key, value, tenant, contentType, token, "too large");
        RecordBatch records = new RecordBatch(new LogPartition("logs", "id", 3), 7, List.of(record));
        assertThat(copy(records)).usingRecursiveComparison().isEqualTo(records);
    }

    @Property(tries = 200)
    void eachRecordOfABatchKeepsItsToken(@ForAll @Size(max = 30) List<@From("tokens") byte[]> tokens)
            throws IOException {
        List<KafkaRecord> records = new ArrayList<>();
        for (byte[] token : tokens) {
            records.add(new KafkaRecord(records.size(), 5, EMPTY, EMPTY, EMPTY, EMPTY, token.clone(), ""));
        }
        RecordBatch batch = new RecordBatch(new LogPartition("logs", "id", 3), 7, records);
        assertThat(copy(batch)).usingRecursiveComparison().isEqualTo(batch);
    }

    @Provide
    Arbitrary<byte[]> tokens() {
        return Arbitraries.of("", "a", "b", "a".repeat(300), "b".repeat(300))
                .map(token -> token.getBytes(StandardCharsets.US_ASCII));
    }

    @Example
    void aTokenIsWrittenOnceInABatch() throws IOException {
        byte[] token = new byte[400];
        List<KafkaRecord> records = IntStream.range(0, 50)
                .mapToObj(offset -> new KafkaRecord(offset, 5, EMPTY, EMPTY, EMPTY, EMPTY, token.clone(), ""))
                .toList();
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(new RecordBatch(new LogPartition("logs", "id", 3), 7, records), out);
        assertThat(out.length()).isLessThan(400 + 50 * 30);
    }

    @Example
    void refusesATokenThatIsNotInTheBatch() {
        assertThatThrownBy(() -> new BatchTokens().read(new DataInputDeserializer(new byte[] {2})))
                .isInstanceOf(IOException.class)
                .hasMessage("There is no token 0 in this batch");
    }

    @Example
    void readsWhatItWrote() throws IOException {
        OffsetAdvance empty = new OffsetAdvance(new LogPartition("logs", "id", 3), 42);
        assertThat(copy(empty)).isEqualTo(empty);

        RecordBatch records = Records.batch(Records.json(3, 41, "acme", 5), Records.json(3, 45, "beta", 6));
        assertThat(copy(records)).usingRecursiveComparison().isEqualTo(records);
    }

    @Example
    void refusesWhatIsNoEvent() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(new OffsetAdvance(new LogPartition("logs", "id", 3), 42), out);
        byte[] bytes = out.getCopyOfBuffer();
        bytes[1] = 7;
        assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
                .isInstanceOf(IOException.class)
                .hasMessage("There is no partition event of kind 7");
    }

    @Example
    void refusesOtherVersions() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(new OffsetAdvance(new LogPartition("logs", "id", 3), 42), out);
        byte[] bytes = out.getCopyOfBuffer();
        bytes[0] = 3;
        assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("PartitionEventSerializer has version 3, but this program reads version 2;");
    }

    private PartitionEvent copy(PartitionEvent event) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(event, out);
        return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
    }
}
