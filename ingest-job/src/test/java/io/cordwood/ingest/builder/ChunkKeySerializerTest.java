package io.cordwood.ingest.builder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HexFormat;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

final class ChunkKeySerializerTest {
    private final ChunkKeySerializer serializer = new ChunkKeySerializer();

    /** Rows in checkpoints are found by these bytes. */
    @Test
    void alwaysWritesTheSame() throws IOException {
        ChunkKey key = new ChunkKey("acme", 258);
        DataOutputSerializer out = new DataOutputSerializer(16);
        serializer.serialize(key, out);
        byte[] bytes = out.getCopyOfBuffer();
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("01" + "04" + "61636d65" + "0000000000000102");
        assertThat(serializer.deserialize(new DataInputDeserializer(bytes))).isEqualTo(key);
    }
}
