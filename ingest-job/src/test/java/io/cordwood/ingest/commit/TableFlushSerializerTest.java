package io.cordwood.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnMetrics;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.write.LogBlockSummary;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class TableFlushSerializerTest {
    private static final TableFlush FLUSH = new TableFlush(
            new LogPartition("logs", "topic-id", 3),
            "ac\u00e9me",
            7,
            new Flush(
                    "topic-id",
                    3,
                    10,
                    20,
                    "uuid",
                    List.of(new LogBlockFile(
                            "file:///x.parquet",
                            20_000,
                            new LogBlockSummary(
                                    1,
                                    2,
                                    3,
                                    new TimeRange(-5, 5),
                                    List.of(4L, 1L << 40),
                                    Map.of(
                                            1, metrics("a", "\uD83D\uDE00"),
                                            2, metrics(-1L, Long.MAX_VALUE),
                                            3, metrics(-0.0, Double.NaN),
                                            4, metrics(false, true),
                                            5, new ColumnMetrics(1, 2, 2, Optional.empty(), Optional.empty())),
                                    Map.of(),
                                    Optional.empty()))),
                    List.of(new AppendRun(10, 495_000, 1, 400), new AppendRun(15, 495_001, 1, 0))));

    private final TableFlushSerializer serializer = new TableFlushSerializer();

    @Test
    void readsWhatItWrote() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(FLUSH, out);
        assertThat(serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer())))
                .isEqualTo(FLUSH);
    }

    @Test
    void keepsTokenFiltersAndSketches() throws IOException {
        LogBlockSummary summary;
        try (LogBlockWriter writer = new LogBlockWriter(
                OutputStream.nullOutputStream(),
                new LogBlockSchema(List.of(
                        Column.of("ts", 2, ColumnType.TIMESTAMP).asRequired(),
                        Column.text("message", 10),
                        Column.of("n", 11, ColumnType.BIGINT))),
                LogBlockOptions.DEFAULTS)) {
            writer.append(
                    List.of(new LongVector(new long[] {17}), StringVector.of("disk full"), new LongVector(new long[] {5
                    })),
                    1);
            summary = writer.finish();
        }
        TableFlush flush = new TableFlush(
                FLUSH.partition(),
                FLUSH.tenantId(),
                8,
                new Flush(
                        "topic-id",
                        3,
                        20,
                        30,
                        "uuid",
                        List.of(new LogBlockFile("file:///y.parquet", 1, summary)),
                        List.of(new AppendRun(20, 495_000, 1, 9))));
        assertThat(summary.tokenFilter()).isPresent();
        assertThat(summary.distinct()).containsOnlyKeys(11);
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(flush, out);
        assertThat(serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer())))
                .isEqualTo(flush);
    }

    @Test
    void refusesALaterVersion() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(FLUSH, out);
        byte[] bytes = out.getCopyOfBuffer();
        bytes[0] = 9;
        assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
                .hasMessage(
                        "TableFlushSerializer has version 9, but this program reads version 1; use the program that wrote it");
    }

    private static ColumnMetrics metrics(Object lower, Object upper) {
        return new ColumnMetrics(1, 2, 0, Optional.of(lower), Optional.of(upper));
    }
}
