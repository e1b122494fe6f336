package io.cordwood.search.logql.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class WindowsTest {
    @Property
    void theWindowsOfATimeAreThoseThatContainIt(
            @ForAll @LongRange(min = -50, max = 50) long start,
            @ForAll @LongRange(min = 1, max = 20) long step,
            @ForAll @IntRange(min = 1, max = 12) int count,
            @ForAll @LongRange(min = 1, max = 60) long length,
            @ForAll @LongRange(min = -120, max = 320) long time) {
        Windows windows = new Windows(new Steps(start, step, count), length);
        int[] expected = IntStream.range(0, count)
                .filter(i -> time > start + i * step - length && time <= start + i * step)
                .toArray();
        assertThat(IntStream.range(windows.from(time), Math.max(windows.from(time), windows.to(time))))
                .containsExactly(IntStream.of(expected).boxed().toArray(Integer[]::new));
    }
}
