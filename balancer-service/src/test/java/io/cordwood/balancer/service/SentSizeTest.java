package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SentSizeTest {
    private final SentSize size = new SentSize(1000);

    private double observe(long atMillis, long end, long stored) {
        return observe(atMillis, end, stored, SentSize.Pressing.NONE);
    }

    private double observe(long atMillis, long end, long stored, SentSize.Pressing pressing) {
        if (size.isDue(atMillis)) {
            size.observe(new Offsets(atMillis, atMillis, Map.of(0, end), Map.of()), Map.of(0, stored), 200, pressing);
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
    void aSampleWithManyRecordsCountsMore() {
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

    @Test
    void isOneIfItCannotBeSeen() {
        size.fail(10_000);
        assertThat(size.isDue(10_999)).isFalse();
        assertThat(size.isDue(11_000)).isTrue();
        size.fail(11_000);
        assertThat(size.ratio()).isEmpty();
        size.fail(12_000);
        assertThat(size.ratio()).hasValue(1);

        observe(13_000, 5000, 900_000);
        assertThat(observe(14_000, 6000, 950_000)).as("seen at last").isCloseTo(0.25, within(1e-9));
        size.fail(15_000);
        assertThat(size.ratio().orElseThrow()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void samplesFarApartAreNotCompared() {
        observe(10_000, 5000, 900_000);
        assertThat(observe(70_001, 6000, 950_000)).isEqualTo(-1);
        assertThat(observe(130_001, 7000, 1_050_000)).isCloseTo(0.5, within(1e-9));
        assertThat(observe(190_002, 8000, 1_060_000)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void whoPressesCountsByWhatItIsAllowed() {
        observe(10_000, 5000, 900_000);
        observe(11_000, 6000, 1_100_000);

        // 200 KB of values come in a second, of them 20 KB from others.
        assertThat(observe(12_000, 7000, 1_300_000, new SentSize.Pressing(120_000, 20_000)))
                .isCloseTo(120 / 180.0, within(1e-9));
        assertThat(observe(13_000, 8000, 1_500_000, new SentSize.Pressing(20_000, 20_000)))
                .as("they cannot send so little")
                .isCloseTo(0.5, within(1e-9));
        assertThat(observe(14_000, 9000, 1_700_000, new SentSize.Pressing(900_000, 20_000)))
                .as("they do not send all they may")
                .isCloseTo(1, within(1e-9));
    }
}
