package io.cordwood.query.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.predicate.Predicate.ValueRange;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BigintRangesTest {
    @Test
    void holdsExactlyTheBigintsWhoseCastLiesInTheRange() {
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            ValueRange range = range(random);
            List<ValueRange> bigints = BigintRanges.ofDoubles(List.of(range));
            for (int j = 0; j < 8; j++) {
                long value = bigint(random, range);
                assertThat(contains(bigints, value))
                        .as("%s in %s", value, range)
                        .isEqualTo(containsDouble(range, (double) value));
            }
        }
    }

    private static ValueRange range(Random random) {
        double first = bound(random);
        double second = random.nextInt(4) == 0 ? first : bound(random);
        Optional<Object> low = random.nextInt(5) == 0 ? Optional.empty() : Optional.of(Math.min(first, second));
        Optional<Object> high = random.nextInt(5) == 0 ? Optional.empty() : Optional.of(Math.max(first, second));
        return new ValueRange(
                low, low.isPresent() && random.nextBoolean(), high, high.isPresent() && random.nextBoolean());
    }

    private static double bound(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(-5, 6);
            case 1 -> random.nextInt(-5, 6) + 0.5;
            case 2 -> (double) (1L << 53) + random.nextInt(-4, 5);
            case 3 -> 0x1p63;
            case 4 -> -0x1p63;
            default -> random.nextLong();
        };
    }

    private static long bigint(Random random, ValueRange range) {
        Optional<Object> near = random.nextBoolean() ? range.low() : range.high();
        if (near.isPresent() && random.nextInt(4) != 0) {
            return (long) (double) near.get() + random.nextInt(-3, 4);
        }
        return random.nextInt(3) == 0 ? Long.MAX_VALUE - random.nextInt(3) : random.nextLong();
    }

    private static boolean containsDouble(ValueRange range, double value) {
        boolean low = range.low()
                .map(bound -> range.lowInclusive() ? value >= (double) bound : value > (double) bound)
                .orElse(true);
        boolean high = range.high()
                .map(bound -> range.highInclusive() ? value <= (double) bound : value < (double) bound)
                .orElse(true);
        return low && high;
    }

    private static boolean contains(List<ValueRange> ranges, long value) {
        return ranges.stream()
                .anyMatch(range -> value >= (long) range.low().orElseThrow()
                        && value <= (long) range.high().orElseThrow());
    }
}
