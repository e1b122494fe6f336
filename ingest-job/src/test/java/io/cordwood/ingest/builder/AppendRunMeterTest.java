package io.cordwood.ingest.builder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppendRunMeterTest {
    private static final long HOUR = 480_000;
    private static final long HOUR_MICROS = 3_600_000_000L;

    private final RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);

    private void add(RowBuffer buffer, long offset, long hour, String value) throws Exception {
        decoder.decode(
                "acme",
                new KafkaRecord(offset, hour * HOUR_MICROS + 5, "acme".getBytes(UTF_8), value.getBytes(UTF_8)),
                buffer);
    }

    @Test
    void rowsCountInTheHourInWhichKafkaTookThemIn() throws Exception {
        RowBuffer first = new RowBuffer();
        add(first, 10, HOUR, "{\"n\":1}");
        add(first, 12, HOUR, "{\"ts\":\"2020-01-01T00:00:00Z\"}");
        add(first, 13, HOUR + 1, "{}");
        RowBuffer second = RowBuffer.fromChunk(first.toChunk());
        RowBuffer third = new RowBuffer();
        add(third, 20, HOUR + 1, "{\"n\":22}");
        add(third, 21, HOUR, "{}");
        assertThat(new AppendRunMeter(0, 100, Long.MIN_VALUE).measure(List.of(second, third)))
                .containsExactly(
                        new AppendRun(10, HOUR, 2, 7 + 29),
                        new AppendRun(13, HOUR + 1, 2, 2 + 8),
                        new AppendRun(21, HOUR, 1, 2));
        assertThat(new AppendRunMeter(12, 21, Long.MIN_VALUE).measure(List.of(second, third)))
                .containsExactly(new AppendRun(12, HOUR, 1, 29), new AppendRun(13, HOUR + 1, 2, 10));
        assertThat(new AppendRunMeter(12, 13, HOUR * HOUR_MICROS).measure(List.of(second, third)))
                .as("expired rows are not written")
                .isEmpty();
    }

    @Test
    void bytesOfARecordOfManyRowsCountOnce() throws Exception {
        RowBuffer buffer = new RowBuffer();
        String request = "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{},{},{}]}]}]}";
        add(buffer, 10, HOUR, request);
        assertThat(new AppendRunMeter(0, 100, Long.MIN_VALUE).measure(List.of(buffer)))
                .containsExactly(new AppendRun(10, HOUR, 3, request.length()));
    }

    @Test
    void aRunEndsAfterAMegabyte() throws Exception {
        RowBuffer buffer = new RowBuffer();
        String value = "{\"message\":\"%s\"}".formatted("x".repeat(400_000 - 14));
        for (int i = 0; i < 7; i++) {
            add(buffer, i, HOUR, value);
        }
        assertThat(new AppendRunMeter(0, 100, Long.MIN_VALUE).measure(List.of(buffer)))
                .containsExactly(
                        new AppendRun(0, HOUR, 3, 1_200_000),
                        new AppendRun(3, HOUR, 3, 1_200_000),
                        new AppendRun(6, HOUR, 1, 400_000));
    }
}
