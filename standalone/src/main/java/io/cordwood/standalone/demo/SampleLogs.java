package io.cordwood.standalone.demo;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Generates web and application logs of some dozens of tenants whose sizes follow Zipf's law. In the middle third, a
 * tenant of ordinary size becomes a hot spot with three quarters of all rows. The same seed and start give the same
 * rows. Immutable.
 *
 * @param seed decides everything but the times
 * @param start time of the first row
 * @param rows number of rows
 */
record SampleLogs(long seed, Instant start, int rows) {
    static final List<String> TENANTS = List.of(
            "acme",
            "globex",
            "initech",
            "umbrella",
            "stark",
            "wayne",
            "cyberdyne",
            "tyrell",
            "wonka",
            "gringotts",
            "oscorp",
            "soylent",
            "hooli",
            "vandelay",
            "dunder-mifflin",
            "sterling-cooper",
            "pied-piper",
            "massive",
            "aperture",
            "black-mesa",
            "weyland",
            "nakatomi",
            "monsters",
            "duff",
            "krusty",
            "planet-express",
            "momcorp",
            "bluth",
            "prestige",
            "los-pollos",
            "madrigal",
            "entertainment-720",
            "paddys",
            "central-perk",
            "macguffin",
            "tenant_36",
            "tenant_37",
            "tenant_38",
            "tenant_39",
            "tenant_40");

    /** The tenant that becomes the hot spot. */
    static final String HOT_TENANT = "hooli";

    private static final long SEED = 42;
    private static final double ZIPF_EXPONENT = 0.99;
    private static final double HOT_SHARE = 0.75;
    private static final long MEAN_GAP_MICROS = 50_000;
    private static final int SAMPLED_ROWS = 2_000;

    /** Rows whose times end about now. */
    static SampleLogs endingNow(int rows) {
        Duration span = Duration.of(rows * MEAN_GAP_MICROS, ChronoUnit.MICROS);
        return new SampleLogs(SEED, Instant.now().minus(span).truncatedTo(ChronoUnit.MINUTES), rows);
    }

    /** Approximate size of the rows in bytes. */
    double approximateBytes() {
        SampleLogs sample = new SampleLogs(seed, start, Math.min(rows, SAMPLED_ROWS));
        LongAdder bytes = new LongAdder();
        sample.forEach(row -> bytes.add(row.json().length()));
        return bytes.doubleValue() / sample.rows() * rows;
    }

    /** Generates the rows in the order of their times. */
    void forEach(Consumer<SampleRow> consumer) {
        SplittableRandom random = new SplittableRandom(seed);
        RowWriter writer = new RowWriter(random);
        double[] cumulative = cumulativeWeights();
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, start);
        for (int i = 0; i < rows; i++) {
            boolean middle = i >= rows / 3 && i < rows * 2L / 3;
            boolean hot = middle && random.nextDouble() < HOT_SHARE;
            String tenant = hot ? HOT_TENANT : TENANTS.get(pick(cumulative, random.nextDouble()));
            micros += 1 + (long) (-Math.log(1 - random.nextDouble()) * MEAN_GAP_MICROS);
            consumer.accept(writer.row(tenant, micros));
        }
    }

    private static double[] cumulativeWeights() {
        double[] cumulative = new double[TENANTS.size()];
        double sum = 0;
        for (int i = 0; i < cumulative.length; i++) {
            sum += Math.pow(i + 1, -ZIPF_EXPONENT);
            cumulative[i] = sum;
        }
        return cumulative;
    }

    private static int pick(double[] cumulative, double fraction) {
        double target = fraction * cumulative[cumulative.length - 1];
        int index = 0;
        while (cumulative[index] < target) {
            index++;
        }
        return index;
    }
}
