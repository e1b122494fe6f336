package io.cordwood.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class SampleLogsTest {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
    private static final int ROWS = 20_000;

    @Test
    void sameSeedGivesSameRows() {
        assertThat(rows(7)).isEqualTo(rows(7)).isNotEqualTo(rows(8));
    }

    @Test
    void everyRowIsOneJsonObjectThatSaysWhatItsFactsSay() throws Exception {
        ObjectMapper json = new ObjectMapper();
        for (SampleRow row : rows(1)) {
            JsonNode object = json.readTree(row.json());
            Instant time = Instant.parse(object.path("ts").textValue());
            assertThat(ChronoUnit.MICROS.between(Instant.EPOCH, time)).isEqualTo(row.micros());
            assertThat(object.path("level").textValue()).isEqualTo(row.level());
            assertThat(object.path("service").textValue()).isEqualTo(row.service());
            assertThat(object.path("trace_id").textValue()).isEqualTo(row.traceId());
            assertThat(object.path("http").path("path").asText("")).isEqualTo(row.path());
            assertThat(object.path("message").textValue().contains("timed out")).isEqualTo(row.timedOut());
        }
    }

    @Test
    void timesRiseAndAllTenantsOccur() {
        List<SampleRow> rows = rows(2);

        assertThat(rows).hasSize(ROWS).extracting(SampleRow::micros).isSorted().doesNotHaveDuplicates();
        assertThat(rows).extracting(SampleRow::tenant).containsAll(SampleLogs.TENANTS);
        assertThat(rows).extracting(SampleRow::traceId).doesNotHaveDuplicates();
    }

    @Test
    void hotSpotIsInTheMiddle() {
        List<SampleRow> rows = rows(3);

        assertThat(hotRows(rows.subList(ROWS / 3, ROWS * 2 / 3))).isGreaterThan(ROWS / 3 * 7 / 10);
        assertThat(hotRows(rows.subList(0, ROWS / 3))).isLessThan(ROWS / 3 / 20);
    }

    @Test
    void bytesAreEstimated() {
        long bytes = rows(5).stream()
                .mapToLong(row -> row.json().getBytes(StandardCharsets.UTF_8).length)
                .sum();

        assertThat(new SampleLogs(5, START, ROWS).approximateBytes())
                .isCloseTo((double) bytes, Percentage.withPercentage(5));
    }

    @Test
    void expectationsCountWhatWasMade() {
        List<SampleRow> rows = rows(4);
        Expectations expected = new Expectations(SampleLogs.HOT_TENANT, 10);
        rows.forEach(row -> expected.add(row, row.json().getBytes(StandardCharsets.UTF_8).length));

        List<SampleRow> hot = rows.stream()
                .filter(row -> row.tenant().equals(SampleLogs.HOT_TENANT))
                .toList();
        List<Long> newest = new ArrayList<>(hot.stream().map(SampleRow::micros).toList());
        Collections.reverse(newest);
        assertThat(expected.rows()).isEqualTo(ROWS);
        assertThat(expected.rowsByTenant().get(SampleLogs.HOT_TENANT)).isEqualTo(hot.size());
        assertThat(expected.needle()).isEqualTo(hot.get(10).traceId());
        assertThat(expected.timeouts())
                .isEqualTo(hot.stream().filter(SampleRow::timedOut).count())
                .isPositive();
        assertThat(expected.newest()).isEqualTo(newest.subList(0, Expectations.TAIL_ROWS));
        assertThat(expected.errorsByBin().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(
                        hot.stream().filter(row -> row.level().equals("ERROR")).count());
        assertThat(expected.topPathCounts())
                .hasSize(Expectations.TOP_PATHS)
                .isSortedAccordingTo(Collections.reverseOrder());
    }

    private static long hotRows(List<SampleRow> rows) {
        return rows.stream()
                .filter(row -> row.tenant().equals(SampleLogs.HOT_TENANT))
                .count();
    }

    private static List<SampleRow> rows(long seed) {
        List<SampleRow> rows = new ArrayList<>();
        new SampleLogs(seed, START, ROWS).forEach(rows::add);
        return rows;
    }
}
