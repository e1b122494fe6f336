package io.cordwood.options;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A size in bytes, such as {@code 64mb}, {@code 64 MB}, {@code 64m} or {@code 67108864}: units are powers of 1024, as
 * in Flink's options. Immutable, thread-safe.
 */
public abstract class Size extends Checked<Long> {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,18}) ?([kmgt]?)b?", Pattern.CASE_INSENSITIVE);
    private static final Map<String, Integer> SHIFTS = Map.of("", 0, "k", 10, "m", 20, "g", 30, "t", 40);
    private static final String[] UNITS = {"bytes", "kb", "mb", "gb"};

    private final long least;
    private final long most;

    /** From one kilobyte. */
    protected Size() {
        this(1L << 10, Long.MAX_VALUE);
    }

    /**
     * @param least in bytes
     * @param most in bytes; {@link Long#MAX_VALUE} for no limit
     */
    protected Size(long least, long most) {
        super("a size %s, such as 64mb or 1gb"
                .formatted(
                        most == Long.MAX_VALUE
                                ? "from " + text(least)
                                : "from %s to %s".formatted(text(least), text(most))));
        this.least = least;
        this.most = most;
    }

    private static String text(long bytes) {
        int unit = Math.min(Long.numberOfTrailingZeros(bytes) / 10, UNITS.length - 1);
        return "%d %s".formatted(bytes >> (10 * unit), UNITS[unit]);
    }

    @Override
    protected Optional<Long> read(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(size.group(1));
        int shift = SHIFTS.get(size.group(2).toLowerCase(Locale.ROOT));
        long bytes = number << shift;
        boolean fits = bytes >> shift == number;
        return fits && bytes >= least && bytes <= most ? Optional.of(bytes) : Optional.empty();
    }
}
