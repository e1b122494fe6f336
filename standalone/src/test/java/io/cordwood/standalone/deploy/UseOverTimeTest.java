package io.cordwood.standalone.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.standalone.deploy.RunningContainer.Use;
import io.cordwood.standalone.deploy.UseOverTime.Resource;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class UseOverTimeTest {
    private static final int SAMPLES = 40;

    /** A service whose threads and megabytes are this function of the sample's number. */
    private static UseOverTime of(LongUnaryOperator value) {
        UseOverTime use = new UseOverTime();
        LongStream.range(0, SAMPLES)
                .map(value)
                .forEach(now -> use.add("catalog", new Use(now * 1_000_000, now, 100, 7)));
        return use;
    }

    @Test
    void warmingUpIsNoGrowth() {
        UseOverTime use = of(sample -> sample < SAMPLES / 4 ? 10 * sample : 200);
        for (Resource resource : Resource.values()) {
            assertThat(use.growth("catalog", resource)).isEmpty();
        }
    }

    @Test
    void whatGoesOnGrowingIsSaid() {
        UseOverTime use = of(sample -> 200 + 5 * sample);
        assertThat(use.growth("catalog", Resource.THREADS)).containsExactly("catalog: threads grew from 275 to 375");
        assertThat(use.growth("catalog", Resource.MEMORY)).containsExactly("catalog: memory, MB grew from 275 to 375");
        assertThat(use.growth("catalog", Resource.HANDLES)).isEmpty();
    }

    @Test
    void aFewMoreAreNoGrowth() {
        assertThat(of(sample -> sample < SAMPLES / 2 ? 20 : 25).growth("catalog", Resource.THREADS))
                .as("a quarter, but five threads")
                .isEmpty();
        assertThat(of(sample -> sample < SAMPLES / 2 ? 200 : 215).growth("catalog", Resource.THREADS))
                .as("fifteen threads, but less than a tenth")
                .isEmpty();
    }

    @Test
    void theTableAndTheDrawingHaveEachService() {
        UseOverTime use = of(sample -> 200 + 5 * sample);
        assertThat(use.table()).contains("catalog").contains("275 to 375");
        assertThat(use.svg())
                .contains(">catalog<", ">threads<", ">395<")
                .containsPattern("points=\"130\\.0,[0-9.]+ .*240\\.0,32\\.0 \"");
    }
}
