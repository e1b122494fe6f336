package io.cordwood.search.logql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UnitsTest {
    @Test
    void durationsHaveParts() {
        assertThat(Units.nanos("1h30m")).hasValue(5_400_000_000_000L);
        assertThat(Units.nanos("1.5s")).hasValue(1_500_000_000L);
        assertThat(Units.nanos(".5s")).hasValue(500_000_000L);
        assertThat(Units.nanos("2.s")).hasValue(2_000_000_000L);
        assertThat(Units.nanos("-3ms4us")).hasValue(-3_004_000L);
        assertThat(Units.nanos("0")).hasValue(0);
        assertThat(Units.nanos("5")).isEmpty();
        assertThat(Units.nanos("5mx")).isEmpty();
        assertThat(Units.nanos("x5m")).isEmpty();
        assertThat(Units.nanos("-")).isEmpty();
    }

    /** Parts that are cut again and again would take a time that grows faster than the text. */
    @Test
    void longTextsAreNoQuantities() {
        assertThat(Units.nanos("0".repeat(38) + "1s")).hasValue(1_000_000_000L);
        assertThat(Units.nanos("0".repeat(39) + "1s")).isEmpty();
        assertThat(Units.bytes("0".repeat(38) + "1B")).hasValue(1);
        assertThat(Units.bytes("0".repeat(39) + "1B")).isEmpty();
    }

    @Test
    void longNumbersOfQueriesAreErrors() {
        String digits = "1".repeat(2_000);
        assertTooLong("vector(" + digits + ")", 8);
        assertTooLong("{} | a > " + digits + "s", 10);
        assertTooLong("vector(1e" + digits + ")", 8);
        assertTooLong("rate({}[" + digits + "m])", 8);
        assertThat(LogQl.parse("vector(0.1234567890123456789012345678901234567)"))
                .isInstanceOf(SampleExpression.class);
    }

    private static void assertTooLong(String query, int column) {
        assertThatThrownBy(() -> LogQl.parse(query))
                .isInstanceOf(LogQlException.class)
                .hasMessageStartingWith("parse error at line 1, col %d: ".formatted(column))
                .hasMessageContaining("longer than 40 characters");
    }
}
