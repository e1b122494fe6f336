package io.cordwood.search.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.http.ApiException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class BucketLengthTest {
    @Test
    void lengthsAreRound() {
        assertThat(BucketLength.of(3_600_000, 60)).isEqualTo(60_000);
        assertThat(BucketLength.of(86_400_000, 60)).isEqualTo(1_800_000);
        assertThat(BucketLength.of(0, 60)).isEqualTo(1);
        assertThat(BucketLength.of(700_000, 100)).isEqualTo(10_000);
    }

    @Property
    void thereAreNoMoreBucketsThanWanted(
            @ForAll @LongRange(min = 1, max = 10_000_000_000_000L) long range,
            @ForAll @IntRange(min = 1, max = 10_000) int buckets) {
        long length = BucketLength.of(range, buckets);
        assertThat(Math.ceilDiv(range, length)).isLessThanOrEqualTo(buckets);
    }

    @Test
    void intervalsHaveUnits() {
        assertThat(BucketLength.parse("500ms")).isEqualTo(500);
        assertThat(BucketLength.parse("1m")).isEqualTo(60_000);
        assertThat(BucketLength.parse("2w")).isEqualTo(1_209_600_000);
        for (String text : new String[] {"", "1", "m", "0s", "-1s", "1 m", "1y", "12345678901s"}) {
            assertThatThrownBy(() -> BucketLength.parse(text))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("'interval' is '%s'".formatted(text));
        }
    }
}
