package io.cordwood.systemtests.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.SplittableRandom;

/**
 * One row of the checker. Its values follow from the seed, its producer and its number, so that a reader can detect a
 * wrong value without a copy of the sent row. Immutable.
 *
 * @param tenant rank of its tenant; 0 is the largest
 * @param tsMicros event time; rows of several numbers and producers share one, so that their order has ties
 */
public record NumberedRow(
        int producer,
        int number,
        int tenant,
        long tsMicros,
        String level,
        long latency,
        double ratio,
        boolean ok,
        String message) {
    /** Declared columns of a stream of these rows: {@code name:type,...}. */
    public static final String COLUMNS =
            "producer:bigint,n:bigint,level:varchar,latency:bigint,ratio:double,ok:boolean,message:varchar";

    private static final String[] LEVELS = {"DEBUG", "INFO", "WARN", "ERROR"};
    private static final String[] WORDS = {"connection", "timeout", "user", "login", "Käse", "retry", "日本", "payload"};
    /** Rows of one producer with the same time. */
    private static final int SAME_TIME = 8;

    private static final int SCATTERED_OF = 2_000;
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    /**
     * The rows of a run.
     *
     * @param separate whether each producer sends rows of one tenant, whose rank is the producer's number; else each
     *     sends rows of all
     */
    public record Maker(long seed, int tenants, long firstMicros, boolean separate) {
        /** Each producer sends rows of all tenants. */
        public Maker(long seed, int tenants, long firstMicros) {
            this(seed, tenants, firstMicros, false);
        }

        public NumberedRow row(int producer, int number) {
            SplittableRandom random = new SplittableRandom(seed ^ ((long) producer << 40) ^ number);
            // Zipf with exponent 1: each doubling of the rank has as many rows as the previous one.
            int drawn = (int) Math.pow(tenants + 1.0, random.nextDouble()) - 1;
            int tenant = separate ? producer : drawn;
            return new NumberedRow(
                    producer,
                    number,
                    Math.min(tenant, tenants - 1),
                    firstMicros + (number / SAME_TIME) * 1000L - daysEarlier(random) * MICROS_PER_DAY,
                    LEVELS[random.nextInt(LEVELS.length)],
                    random.nextLong(-1000, 1_000_000_000_000L),
                    random.nextInt(1 << 20) / 1024.0,
                    random.nextBoolean(),
                    "%s %s %08x".formatted(word(random), word(random), random.nextInt()));
        }

        /** Few rows are of another day. */
        private static long daysEarlier(SplittableRandom random) {
            return random.nextInt(SCATTERED_OF) == 0 ? random.nextInt(3_000) : 0;
        }

        private static String word(SplittableRandom random) {
            return WORDS[random.nextInt(WORDS.length)];
        }
    }

    public static String tenantId(int rank) {
        return "t" + rank;
    }

    public static int rank(String tenantId) {
        return Integer.parseInt(tenantId.substring(1));
    }

    public byte[] json() {
        return """
                {"ts":%d,"producer":%d,"n":%d,"level":"%s","latency":%d,"ratio":%s,"ok":%s,"message":"%s"}""".formatted(tsMicros, producer, number, level, latency, ratio, ok, message)
                .getBytes(UTF_8);
    }
}
