package io.cordwood.benchmarks.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BenchQueryTest {
    @Test
    void floorIsTheSameQueryOverARangeBeforeAllRows() {
        BenchQuery query = new BenchQuery(
                "Q2",
                "1",
                "1h",
                1_605_052_800_000_000L,
                1_605_056_400_000_000L,
                new ObjectMapper().createObjectNode().put("token", "timeout"),
                7);

        BenchQuery nothing = query.overEmptyRange();

        assertThat(nothing.expected()).isZero();
        String range = "ts >= TIMESTAMP '%s UTC' AND ts < TIMESTAMP '%s UTC'";
        assertThat(nothing.sql(SqlDialect.cordwood("logs")))
                .contains(range.formatted("1970-01-01 00:00:00", "1970-01-01 01:00:00"))
                .isEqualTo(query.sql(SqlDialect.cordwood("logs"))
                        .replace(
                                range.formatted("2020-11-11 00:00:00", "2020-11-11 01:00:00"),
                                range.formatted("1970-01-01 00:00:00", "1970-01-01 01:00:00")));
    }

    @Test
    void enginesAreAskedInTheirOwnWords() {
        BenchQuery query = new BenchQuery(
                "Q4",
                "1",
                "1h",
                1_605_052_800_000_000L,
                1_605_052_800_000_001L,
                new ObjectMapper().createObjectNode().put("phrase", "Get Route's"),
                7);

        assertThat(query.sql(SqlDialect.cordwood("logs")))
                .isEqualTo("SELECT ts, log FROM cordwood.\"1\".logs WHERE ts >= TIMESTAMP '2020-11-11 00:00:00 UTC'"
                        + " AND ts < TIMESTAMP '2020-11-11 00:00:00.000001 UTC' AND match(log, '\"Get Route''s\"')");
        assertThat(query.sql(SqlDialect.trinoIceberg("logs")))
                .startsWith("SELECT ts, log FROM iceberg.\"1\".logs WHERE ts >= TIMESTAMP '")
                .endsWith(" AND lower(log) LIKE '%get route''s%'");
        assertThat(query.sql(SqlDialect.duckDb(Map.of("1", List.of(Path.of("/rows/1"), Path.of("/rows/2"))))))
                .startsWith(
                        "SELECT ts, log FROM read_parquet(['/rows/1', '/rows/2']) WHERE ts >= TIMESTAMPTZ '2020-11-11 00:00:00+00'")
                .endsWith(" AND contains(lower(log), 'get route''s')");
        assertThat(query.sql(SqlDialect.clickHouse("rows")))
                .startsWith("SELECT ts, log FROM rows WHERE tenant_id = '1' AND"
                        + " ts >= toDateTime64('2020-11-11 00:00:00', 6, 'UTC')")
                .endsWith(" AND hasPhrase(log, 'get route''s')");
    }
}
