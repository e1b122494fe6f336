package io.cordwood.search.loki;

import io.cordwood.search.http.ApiException;
import io.cordwood.search.logql.LabelMatcher;
import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.Units;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.util.Fields;

/** The parameters of a request, read as Loki reads them. Immutable. */
final class LokiParameters {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final BigDecimal NANOS = BigDecimal.valueOf(NANOS_PER_SECOND);
    private static final int SECONDS_DIGITS = 10;
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 5_000;
    private static final long DEFAULT_STEPS = 250;
    private static final int MAX_NUMBER_LENGTH = 40;

    /** The flag of a request for labels that are not of a stream beside each line. */
    static final String CATEGORIZE_LABELS = "categorize-labels";

    private final Fields fields;
    private final boolean categorizes;
    private final long now;

    /** @param categorizes whether the request has the flag {@link #CATEGORIZE_LABELS} */
    LokiParameters(Fields fields, boolean categorizes, Instant now) {
        this.fields = fields;
        this.categorizes = categorizes;
        this.now = nanos(now);
    }

    /**
     * A time range, in nanoseconds since the epoch.
     *
     * @param start included
     * @param end excluded
     */
    record Bounds(long start, long end) {}

    boolean categorizes() {
        return categorizes;
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(fields.getValue(name)).filter(value -> !value.isEmpty());
    }

    List<String> texts(String name) {
        return Optional.ofNullable(fields.getValues(name)).orElse(List.of());
    }

    String query() {
        return text("query").orElseThrow(() -> ApiException.invalid("the parameter 'query' is missing"));
    }

    /** The conditions on labels of the parameter {@code query}; none without it. */
    List<LabelMatcher> selector() {
        return text("query").map(query -> LogQl.parseLogQuery(query).selector()).orElse(List.of());
    }

    /** The times from {@code start} to {@code end}; {@code since} or a default before the end without a start. */
    Bounds bounds(long defaultSince) {
        long end = time("end").orElse(now);
        long since = text("since").map(value -> duration("since", value)).orElse(defaultSince);
        long start = time("start").orElseGet(() -> saturatedSubtract(Math.min(end, now), since));
        if (end <= start) {
            throw ApiException.invalid("'end' must be later than 'start'");
        }
        return new Bounds(start, end);
    }

    /** The time of an instant query. */
    long time() {
        return time("time").orElse(now);
    }

    private Optional<Long> time(String name) {
        return text(name).map(value -> time(name, value));
    }

    private static long time(String name, String value) {
        try {
            if (value.length() <= MAX_NUMBER_LENGTH && value.matches("[-+]?[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]{1,2})?")) {
                boolean isSeconds = value.length() <= SECONDS_DIGITS || !value.matches("[-+]?[0-9]+");
                BigDecimal number = new BigDecimal(value);
                return saturated(isSeconds ? number.multiply(NANOS) : number);
            }
            return nanos(OffsetDateTime.parse(value).toInstant());
        } catch (DateTimeParseException e) {
            throw ApiException.invalid(
                    "'%s' is '%s': use nanoseconds or seconds since the epoch, or RFC 3339".formatted(name, value));
        }
    }

    private static long nanos(Instant instant) {
        return saturated(BigDecimal.valueOf(instant.getEpochSecond())
                .multiply(NANOS)
                .add(BigDecimal.valueOf(instant.getNano())));
    }

    private static long saturated(BigDecimal number) {
        return number.min(BigDecimal.valueOf(Long.MAX_VALUE))
                .max(BigDecimal.valueOf(Long.MIN_VALUE))
                .longValue();
    }

    private static long saturatedSubtract(long time, long nanos) {
        return saturated(BigDecimal.valueOf(time).subtract(BigDecimal.valueOf(nanos)));
    }

    /** The distance between the points of a range query, in nanoseconds. */
    long step(Bounds bounds) {
        long length = bounds.end() - bounds.start();
        long step = text("step")
                .map(value -> duration("step", value))
                .orElseGet(() -> Math.max(1, length / NANOS_PER_SECOND / DEFAULT_STEPS) * NANOS_PER_SECOND);
        if (step <= 0) {
            throw ApiException.invalid("'step' must be positive");
        }
        return step;
    }

    /** The length of a parameter: seconds, or a duration such as {@code 5m}. */
    private static long duration(String name, String value) {
        if (value.length() <= MAX_NUMBER_LENGTH && value.matches("-?[0-9]+(\\.[0-9]*)?")) {
            return saturated(new BigDecimal(value).multiply(NANOS));
        }
        return Units.nanos(value)
                .orElseThrow(() -> ApiException.invalid(
                        "'%s' is '%s': use seconds, or a duration such as 5m".formatted(name, value)));
    }

    /** Maximum number of lines. */
    int limit() {
        return limit(DEFAULT_LIMIT, MAX_LIMIT);
    }

    int limit(int byDefault, int most) {
        int limit = text("limit").map(LokiParameters::whole).orElse(byDefault);
        if (limit <= 0) {
            throw ApiException.invalid("'limit' must be positive");
        }
        if (limit > most) {
            throw ApiException.invalid("'limit' is %d, but an answer has at most %d entries".formatted(limit, most));
        }
        return limit;
    }

    private static int whole(String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw ApiException.invalid("'limit' is '%s': use a whole number".formatted(value));
        }
    }

    boolean newestFirst() {
        String direction = text("direction").orElse("backward");
        if (direction.equalsIgnoreCase("backward")) {
            return true;
        }
        if (direction.equalsIgnoreCase("forward")) {
            return false;
        }
        throw ApiException.invalid("'direction' is '%s': use forward or backward".formatted(direction));
    }
}
