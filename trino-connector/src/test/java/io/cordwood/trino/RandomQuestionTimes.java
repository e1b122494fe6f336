package io.cordwood.trino;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Times of random questions: near rows, which come in batches six hours apart. Stateless. */
final class RandomQuestionTimes {
    static final long HOUR_MICROS = TimeUnit.HOURS.toMicros(1);
    static final long BATCH_MICROS = 6 * HOUR_MICROS;
    /** In which the rows of a batch lie. */
    static final int SPREAD_MICROS = 12_000_000;
    /** So many neighbouring microseconds have most of the rows. */
    static final int CROWDED_MICROS = 40;

    private static final DateTimeFormatter SQL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private RandomQuestionTimes() {}

    static String sql(long micros) {
        return "TIMESTAMP '%s UTC'".formatted(SQL.format(instant(micros)));
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** A time of a row of the batch. */
    static long of(Random random, int batch) {
        return SampleLogs.START_MICROS
                + batch * BATCH_MICROS
                + random.nextInt(random.nextInt(3) > 0 ? CROWDED_MICROS : SPREAD_MICROS);
    }

    /** A time as a user writes it, with quotes where it needs them. */
    static WantedValue.Written written(Random random) {
        int batch = random.nextInt(TwoTiers.BATCHES);
        if (random.nextInt(5) == 0) {
            return relative(batch);
        }
        long micros = of(random, batch);
        Instant time = instant(micros);
        String text = switch (random.nextInt(4)) {
            case 0 -> Long.toString(micros);
            case 1 -> "\"%s\"".formatted(time.toString().replace('T', ' '));
            case 2 -> time.atOffset(ZoneOffset.ofHours(2)).toString();
            default -> time.toString();
        };
        // OffsetDateTime leaves out seconds that are zero
        return new WantedValue.Written(
                text.contains(":") && text.chars().filter(c -> c == ':').count() < 2 ? time.toString() : text,
                Long.toString(micros));
    }

    /** Relative to now, so that hours lie between it and each row: the search runs a little later. */
    private static WantedValue.Written relative(int batch) {
        long gap = SampleLogs.START_MICROS + batch * BATCH_MICROS + BATCH_MICROS / 2;
        Instant now = Instant.now();
        long hours = instant(gap).until(now, ChronoUnit.HOURS);
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now.minus(hours, ChronoUnit.HOURS));
        return new WantedValue.Written("now-%dh".formatted(hours), Long.toString(micros));
    }

    static WantedValue.Written day(Random random) {
        int days = random.nextInt(-1, TwoTiers.BATCHES / 4 + 1);
        long micros = SampleLogs.START_MICROS + days * TimeUnit.DAYS.toMicros(1);
        return new WantedValue.Written(instant(micros).toString().substring(0, 10), Long.toString(micros));
    }

    static <T> T any(Random random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
