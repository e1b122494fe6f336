package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class TimestampsTest {
    private static final DateTimeFormatter RFC_3339 =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private static String formatted(long micros) {
        return RFC_3339.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }

    @Property
    void writesWhatTheFormatterWrites(
            @ForAll @LongRange(min = -100_000_000_000_000_000L, max = 500_000_000_000_000_000L) long micros) {
        assertThat(Timestamps.text(micros)).isEqualTo(formatted(micros));
    }

    @Property
    void writesTimesOfThisCentury(
            @ForAll @LongRange(min = 946_684_800_000_000L, max = 4_102_444_800_000_000L) long micros) {
        assertThat(Timestamps.text(micros)).isEqualTo(formatted(micros));
    }

    @Example
    void writesTheEdges() {
        long end = Instant.parse("9999-12-31T23:59:59.999999Z").getEpochSecond() * 1_000_000 + 999_999;
        for (long micros : new long[] {0, -1, end, end + 1, 951_782_400_000_000L}) {
            assertThat(Timestamps.text(micros)).isEqualTo(formatted(micros));
        }
        assertThat(Timestamps.text(1_795_111_199_982_176L)).isEqualTo("2026-11-19T17:59:59.982176Z");
    }
}
