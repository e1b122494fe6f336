package io.cordwood.ingest.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.serial.Wire;
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

    @Test
    void readsVersion1AsOneRun() throws IOException {
        writeVersion1(5, 1, 9, 1000, 300, 6, 100_000, 200);
        assertThat(read())
                .isEqualTo(new TenantState(
                        5, 9, UndeclaredRows.NONE, List.of(new ChunkRange(1, 9, 6, 100_000, 100, 200, 300))));
    }

    @Test
    void readsVersion2AsReadWhenKafkaTookIt() throws IOException {
        out.writeByte(2);
        out.writeLong(5);
        out.writeLong(9);
        Wire.writeLength(1, out);
        for (long value : new long[] {1, 9, 6, 100_000, 200, 300}) {
            out.writeLong(value);
        }
        assertThat(read())
                .isEqualTo(new TenantState(
                        5, 9, UndeclaredRows.NONE, List.of(new ChunkRange(1, 9, 6, 100_000, 100, 200, 300))));
    }

    @Test
    void readsVersion1WithoutRows() throws IOException {
        writeVersion1(5, 9, 9, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE, 0);
        assertThat(read()).isEqualTo(new TenantState(5, 9, UndeclaredRows.NONE, List.of()));
    }

    private void writeVersion1(long... values) throws IOException {
        out.writeByte(1);
        for (long value : values) {
            out.writeLong(value);
        }
    }

    private TenantState read() throws IOException {
        return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
    }
}
