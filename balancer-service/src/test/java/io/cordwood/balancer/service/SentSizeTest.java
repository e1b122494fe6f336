package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SentSizeTest {
    private final SentSize size = new SentSize(1000);

    private double observe(long atMillis, long end, long stored) {
        if (size.isDue(atMillis)) {
            size.observe(new Offsets(atMillis, Map.of(0, end), Map.of()), Map.of(0, stored), 200);
        }
        return size.ratio().orElse(-1);
    }

    @Test
    void isHowMuchPartitionsGrewOverWhatTheirRecordsHold() {
        assertThat(observe(10_000, 5000, 900_000)).as("unknown").isEqualTo(-1);
        assertThat(observe(11_000, 6000, 950_000)).isCloseTo(0.25, within(1e-9));
        // Too soon to compare.
        assertThat(observe(11_500, 6500, 990_000)).isCloseTo(0.25, within(1e-9));
        assertThat(observe(12_000, 7000, 1_050_000))
                .as("what was seen before counts a little less")
                .isCloseTo((0.8 * 0.25 + 0.5) / 1.8, within(1e-9));
    }

    @Test
    void aLookWithManyRecordsCountsMore() {
        observe(10_000, 5000, 900_000);
        observe(11_000, 6000, 1_100_000);

        assertThat(observe(12_000, 15_000, 1_550_000)).isCloseTo((0.8 * 1 + 9 * 0.25) / 9.8, within(1e-9));
    }

    @Test
    void staysWhereNothingIsToBeSeen() {
        observe(10_000, 5000, 900_000);
        observe(11_000, 6000, 950_000);

        assertThat(observe(12_000, 6001, 951_000)).as("one record").isCloseTo(0.25, within(1e-9));
        assertThat(observe(13_000, 9000, 500_000))
                .as("old records were deleted")
                .isCloseTo(0.25, within(1e-9));
    }
}
