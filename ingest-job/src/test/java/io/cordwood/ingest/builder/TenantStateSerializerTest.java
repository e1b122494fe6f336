package io.cordwood.ingest.builder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class TenantStateSerializerTest {
    private final TenantStateSerializer serializer = new TenantStateSerializer();
    private final DataOutputSerializer out = new DataOutputSerializer(64);

    @Test
    void writesWhatItReads() throws IOException {
        TenantState state = new TenantState(
                5,
                9,
                7,
                List.of(new ChunkRange(1, 3, 6, 100, 7, 200, 300), new ChunkRange(3, 9, 60, 101, 8, 201, 301)));
        serializer.serialize(state, out);
        assertThat(read()).isEqualTo(state);
    }

    private TenantState read() throws IOException {
        return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
    }
}
