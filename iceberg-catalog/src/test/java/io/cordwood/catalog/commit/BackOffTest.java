package io.cordwood.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackOffTest {
    @ParameterizedTest
    @CsvSource({"0, 1000", "1, 2000", "5, 32000", "6, 60000", "20, 60000", "62, 60000", "63, 60000", "2147483647, 60000"
    })
    void delaysDoubleUpToTheLongest(int failures, long delay) {
        assertThat(BackOff.delayMillis(failures, 1_000, 60_000)).isEqualTo(delay);
    }

    @Property
    void delaysGrowWithinTheirBounds(
            @ForAll @IntRange(max = 100) int failures,
            @ForAll @LongRange(min = 1) long first,
            @ForAll @LongRange(min = 1) long longest) {
        long delay = BackOff.delayMillis(failures, first, longest);
        assertThat(delay).isBetween(Math.min(first, longest), longest);
        assertThat(BackOff.delayMillis(failures + 1, first, longest)).isGreaterThanOrEqualTo(delay);
    }

    @Test
    void refusesWhatIsNoBackOff() {
        assertThatThrownBy(() -> BackOff.delayMillis(-1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BackOff.delayMillis(0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void attemptsAreBounded() throws InterruptedException {
        BackOff backOff = new BackOff(2, 1, 1);
        assertThat(backOff.mayRetry()).isTrue();
        backOff.pause();
        assertThat(backOff.mayRetry()).isFalse();
        assertThat(backOff.attempts()).isEqualTo(2);
    }
}
