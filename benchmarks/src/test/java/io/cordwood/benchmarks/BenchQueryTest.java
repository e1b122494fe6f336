package io.cordwood.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
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
}
