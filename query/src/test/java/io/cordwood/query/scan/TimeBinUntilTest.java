package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TimeBinUntilTest {
    @Test
    void anIntervalIncludesItsEndButNotItsBeginning() {
        TimeBin bin = new TimeBin.Until(10, 5_000);
        assertThat(bin.millis(5_000)).isEqualTo(5);
        assertThat(bin.millis(5_001)).isEqualTo(15);
        assertThat(bin.millis(15_000)).isEqualTo(15);
        assertThat(bin.millis(-5_000)).isEqualTo(-5);
        assertThat(bin.millis(-4_999)).isEqualTo(5);
    }

    @Property
    void theValueIsTheNextEnd(
            @ForAll @LongRange(min = 1, max = 1_000) long interval,
            @ForAll @LongRange(min = 0, max = 1_000_000) long originMillis,
            @ForAll @LongRange(min = -1_000_000_000, max = 1_000_000_000) long micros) {
        long end = new TimeBin.Until(interval, originMillis * 1_000).millis(micros) * 1_000;
        assertThat(end).isGreaterThanOrEqualTo(micros).isLessThan(micros + interval * 1_000);
        assertThat(Math.floorMod(end / 1_000 - originMillis, interval)).isZero();
    }

    @Property
    void itSurvivesItsText(@ForAll @LongRange(min = 1) long interval, @ForAll long origin) {
        TimeBin bin = new TimeBin.Until(interval, origin);
        assertThat(TimeBin.decode(bin.encode())).isEqualTo(bin);
    }
}
