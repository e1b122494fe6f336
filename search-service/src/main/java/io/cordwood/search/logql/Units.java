package io.cordwood.search.logql;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Reads durations and sizes as text. A text of more than {@value #MAX_LENGTH} characters is neither. Stateless. */
public final class Units {
    /** Most characters of a duration or a size: a value of a log that is longer must not cost the time to read it. */
    static final int MAX_LENGTH = 40;

    private static final Pattern DURATION =
            Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h|d|w|y)");
    private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+) ?([a-zA-Z]*)");
    private static final double NANOS_PER_SECOND = 1e9;

    private static final Map<String, Double> NANOS = Map.ofEntries(
            Map.entry("ns", 1d),
            Map.entry("us", 1e3),
            Map.entry("µs", 1e3),
            Map.entry("μs", 1e3),
            Map.entry("ms", 1e6),
            Map.entry("s", NANOS_PER_SECOND),
            Map.entry("m", 60 * NANOS_PER_SECOND),
            Map.entry("h", 3_600 * NANOS_PER_SECOND),
            Map.entry("d", 86_400 * NANOS_PER_SECOND),
            Map.entry("w", 7 * 86_400 * NANOS_PER_SECOND),
            Map.entry("y", 365 * 86_400 * NANOS_PER_SECOND));

    private static final Map<String, Double> BYTES = Map.ofEntries(
            Map.entry("", 1d),
            Map.entry("b", 1d),
            Map.entry("kb", 1e3),
            Map.entry("k", 1e3),
            Map.entry("mb", 1e6),
            Map.entry("m", 1e6),
            Map.entry("gb", 1e9),
            Map.entry("g", 1e9),
            Map.entry("tb", 1e12),
            Map.entry("t", 1e12),
            Map.entry("pb", 1e15),
            Map.entry("p", 1e15),
            Map.entry("kib", 0x1p10),
            Map.entry("ki", 0x1p10),
            Map.entry("mib", 0x1p20),
            Map.entry("mi", 0x1p20),
            Map.entry("gib", 0x1p30),
            Map.entry("gi", 0x1p30),
            Map.entry("tib", 0x1p40),
            Map.entry("ti", 0x1p40),
            Map.entry("pib", 0x1p50),
            Map.entry("pi", 0x1p50));

    private Units() {}

    /** A duration such as {@code 1h30m}, {@code 1.5s} or {@code 250ms}, in nanoseconds. */
    public static OptionalLong nanos(String text) {
        if (text.length() > MAX_LENGTH) {
            return OptionalLong.empty();
        }
        boolean negative = text.startsWith("-");
        String rest = negative || text.startsWith("+") ? text.substring(1) : text;
        if (rest.equals("0")) {
            return OptionalLong.of(0);
        }
        Matcher part = DURATION.matcher(rest);
        double nanos = 0;
        int end = 0;
        while (end < rest.length() && part.find(end) && part.start() == end) {
            nanos += Double.parseDouble(part.group(1)) * NANOS.get(part.group(2));
            end = part.end();
        }
        boolean isDuration = !rest.isEmpty() && end == rest.length() && nanos < Long.MAX_VALUE;
        return isDuration ? OptionalLong.of(Math.round(negative ? -nanos : nanos)) : OptionalLong.empty();
    }

    /** A size such as {@code 5kB}, {@code 1.5MiB} or {@code 42}, in bytes. */
    public static OptionalDouble bytes(String text) {
        if (text.length() > MAX_LENGTH) {
            return OptionalDouble.empty();
        }
        Matcher size = SIZE.matcher(text.strip());
        if (!size.matches()) {
            return OptionalDouble.empty();
        }
        Double factor = BYTES.get(size.group(2).toLowerCase(Locale.ROOT));
        return factor == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.floor(Double.parseDouble(size.group(1)) * factor));
    }
}
