package io.cordwood.record.buffer;

import io.cordwood.record.json.JsonNumbers;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A parser of event times: RFC 3339 text, and numbers by their magnitude, to microseconds since the epoch. Finer digits
 * are truncated. Times outside the years 1 to 9999 do not parse. Stateless.
 */
public final class EventTime {
    /** The result for anything that is not a time. */
    public static final long NONE = Long.MIN_VALUE;

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MIN = -62_135_596_800L * MICROS_PER_SECOND;
    private static final long MAX = 253_402_300_800L * MICROS_PER_SECOND - 1;
    private static final long SECONDS_BELOW = 100_000_000_000L;
    private static final long MILLIS_BELOW = 100_000_000_000_000L;
    private static final long MICROS_BELOW = 100_000_000_000_000_000L;
    private static final int MAX_NUMBER_LENGTH = 64;
    private static final int[] DAYS_BEFORE_MONTH = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    private static final int[] DAYS_IN_MONTH = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    private static final int DAYS_TO_EPOCH = 719_162;

    private EventTime() {}

    /** The rank of a member among the candidates for the event time, from 0, or -1. */
    static int rank(String column) {
        return switch (column) {
            case "ts" -> 0;
            case "@timestamp" -> 1;
            case "timestamp" -> 2;
            case "time" -> 3;
            default -> -1;
        };
    }

    public static final int RANKS = 4;

    public static long ofInteger(long number) {
        long magnitude = number < 0 ? -number : number;
        if (magnitude < 0) {
            return NONE;
        }
        if (magnitude < SECONDS_BELOW) {
            return checked(number * MICROS_PER_SECOND);
        }
        if (magnitude < MILLIS_BELOW) {
            return checked(number * 1000);
        }
        return checked(magnitude < MICROS_BELOW ? number : number / 1000);
    }

    /** A number as JSON writes it, with a fraction, an exponent or more than 64 bits. */
    public static long ofNumber(byte[] text, int from, int to) {
        if (to - from > MAX_NUMBER_LENGTH) {
            return NONE;
        }
        BigDecimal number;
        try {
            number = new BigDecimal(JsonNumbers.string(text, from, to));
        } catch (NumberFormatException e) {
            return NONE; // The exponent has more than 32 bits.
        }
        // Prevents huge exponents from being expanded below.
        long integerDigits = (long) number.precision() - number.scale();
        if (number.signum() == 0 || integerDigits < -20) {
            return 0;
        }
        if (integerDigits > 21) {
            return NONE;
        }
        BigDecimal magnitude = number.abs();
        int shift = magnitude.compareTo(BigDecimal.valueOf(SECONDS_BELOW)) < 0
                ? 6
                : magnitude.compareTo(BigDecimal.valueOf(MILLIS_BELOW)) < 0
                        ? 3
                        : magnitude.compareTo(BigDecimal.valueOf(MICROS_BELOW)) < 0 ? 0 : -3;
        BigDecimal micros = number.scaleByPowerOfTen(shift).setScale(0, RoundingMode.DOWN);
        if (micros.abs().compareTo(BigDecimal.valueOf(MAX)) > 0) {
            return NONE;
        }
        return checked(micros.longValueExact());
    }

    /** A time in nanoseconds since the epoch, of 64 unsigned bits. */
    public static long ofNanos(long nanos) {
        return checked(Long.divideUnsigned(nanos, 1000));
    }

    /**
     * RFC 3339's {@code date-time}; also with a space for the {@code T}, a comma before the fraction, and without an
     * offset, which means UTC.
     */
    public static long ofText(byte[] text, int from, int to) {
        if (to - from < 19
                || text[from + 4] != '-'
                || text[from + 7] != '-'
                || text[from + 13] != ':'
                || text[from + 16] != ':') {
            return NONE;
        }
        int between = text[from + 10];
        if (between != 'T' && between != 't' && between != ' ') {
            return NONE;
        }
        int year = digits(text, from, 4);
        int month = digits(text, from + 5, 2);
        int day = digits(text, from + 8, 2);
        int hour = digits(text, from + 11, 2);
        int minute = digits(text, from + 14, 2);
        int second = digits(text, from + 17, 2);
        if ((year | month | day | hour | minute | second) < 0 || hour > 23 || minute > 59 || second > 60) {
            return NONE;
        }
        if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
            return NONE;
        }
        int i = from + 19;
        int micros = 0;
        if (i < to && (text[i] == '.' || text[i] == ',')) {
            int first = ++i;
            int unit = 100_000;
            while (i < to && text[i] >= '0' && text[i] <= '9') {
                micros += (text[i] - '0') * unit;
                unit /= 10;
                i++;
            }
            if (i == first) {
                return NONE;
            }
        }
        int offset = offsetSeconds(text, i, to);
        if (offset == Integer.MIN_VALUE) {
            return NONE;
        }
        long seconds = (epochDay(year, month, day) * 24L + hour) * 3600 + (minute * 60L + second - offset);
        return checked(seconds * MICROS_PER_SECOND + micros);
    }

    private static int offsetSeconds(byte[] text, int i, int to) {
        if (i == to) {
            return 0;
        }
        int sign = text[i];
        if (sign == 'Z' || sign == 'z') {
            return i + 1 == to ? 0 : Integer.MIN_VALUE;
        }
        if ((sign != '+' && sign != '-') || i + 6 != to || text[i + 3] != ':') {
            return Integer.MIN_VALUE;
        }
        int hours = digits(text, i + 1, 2);
        int minutes = digits(text, i + 4, 2);
        if ((hours | minutes) < 0 || hours > 23 || minutes > 59) {
            return Integer.MIN_VALUE;
        }
        int seconds = hours * 3600 + minutes * 60;
        return sign == '-' ? -seconds : seconds;
    }

    /** A number of exactly {@code count} digits, or -1. */
    private static int digits(byte[] text, int from, int count) {
        int number = 0;
        for (int i = from; i < from + count; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    private static boolean isLeap(int year) {
        return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    private static int daysIn(int year, int month) {
        return month == 2 && isLeap(year) ? 29 : DAYS_IN_MONTH[month - 1];
    }

    private static int epochDay(int year, int month, int day) {
        int before = year - 1;
        int leapDay = month > 2 && isLeap(year) ? 1 : 0;
        return before * 365
                + before / 4
                - before / 100
                + before / 400
                + DAYS_BEFORE_MONTH[month - 1]
                + leapDay
                + day
                - 1
                - DAYS_TO_EPOCH;
    }

    private static long checked(long micros) {
        return micros >= MIN && micros <= MAX ? micros : NONE;
    }
}
