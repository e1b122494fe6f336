package io.cordwood.query.pattern;

/** Recognizes dates and times of day, as logs write them. Stateless. */
final class Times {
    /** Length of the names of days and months. */
    static final int NAME_LENGTH = 3;

    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final String DAYS = "MonTueWedThuFriSatSun";

    private Times() {}

    /**
     * The end of the time at {@code line[from .. end)}, or {@code from} if there is none: {@code 2026-01-10},
     * {@code 2026/01/10}, {@code 10/Jan/2026}, {@code 12:00:41}, and such dates with a time of day, a fraction and a
     * zone.
     */
    static int end(byte[] line, int from, int end) {
        int digits = digits(line, from, end);
        if (digits > 2) {
            return digits == 4 ? afterDate(line, from, dateEnd(line, from, end), end) : from;
        }
        int at = from + digits;
        if (at < end && line[at] == '/') {
            return afterDate(line, from, dayMonthYearEnd(line, from, at, end), end);
        }
        int timeEnd = timeEnd(line, from, end);
        return timeEnd > from ? timeEnd : from;
    }

    /** The end of a time such as {@code Sat Jan 10 12:00:41 2026}, or {@code from} if there is none. */
    static int endAfterName(byte[] line, int from, int end) {
        int month = isOneOf(DAYS, line, from, end) ? from + NAME_LENGTH + 1 : from;
        if (!isOneOf(MONTHS, line, month, end)) {
            return from;
        }
        int day = month + NAME_LENGTH + 1;
        if (day < end && line[day] == ' ') {
            day++;
        }
        int digits = digits(line, day, end);
        if (digits == 0 || digits > 2) {
            return from;
        }
        int at = day + digits;
        int time = at < end && line[at] == ' ' ? timeEnd(line, at + 1, end) : at;
        if (time <= at + 1) {
            return from;
        }
        return time < end && line[time] == ' ' && digits(line, time + 1, end) == 4 ? time + 5 : time;
    }

    private static boolean isOneOf(String names, byte[] line, int at, int end) {
        for (int name = 0; at + NAME_LENGTH <= end && name < names.length(); name += NAME_LENGTH) {
            if (line[at] == names.charAt(name)
                    && line[at + 1] == names.charAt(name + 1)
                    && line[at + 2] == names.charAt(name + 2)) {
                return true;
            }
        }
        return false;
    }

    private static int dateEnd(byte[] line, int from, int end) {
        int at = from + 4;
        if (at >= end || line[at] != '-' && line[at] != '/') {
            return from;
        }
        byte separator = line[at];
        if (digits(line, at + 1, end) != 2
                || at + 3 >= end
                || line[at + 3] != separator
                || digits(line, at + 4, end) != 2) {
            return from;
        }
        return at + 6;
    }

    private static int dayMonthYearEnd(byte[] line, int from, int slash, int end) {
        int at = isOneOf(MONTHS, line, slash + 1, end) ? slash + 4 : slash + 1 + digits(line, slash + 1, end);
        boolean isDate =
                at > slash + 2 && at <= slash + 4 && at < end && line[at] == '/' && digits(line, at + 1, end) == 4;
        return isDate ? at + 5 : from;
    }

    private static int afterDate(byte[] line, int from, int date, int end) {
        if (date == from || date + 1 >= end) {
            return date;
        }
        boolean mayHaveTime = switch (line[date]) {
            case 'T', 't', ' ', ':', '_' -> true;
            default -> false;
        };
        int time = mayHaveTime ? timeEnd(line, date + 1, end) : date;
        return time > date + 1 ? time : date;
    }

    /** The end of a time of day, with fraction and zone, or {@code from}. */
    private static int timeEnd(byte[] line, int from, int end) {
        int at = from + digits(line, from, end);
        if (at == from || at > from + 2) {
            return from;
        }
        for (int part = 0; part < 2; part++) {
            if (at >= end || line[at] != ':' || digits(line, at + 1, end) != 2) {
                return from;
            }
            at += 3;
        }
        if (at + 1 < end && (line[at] == '.' || line[at] == ',') && digits(line, at + 1, end) > 0) {
            at += 1 + digits(line, at + 1, end);
        }
        return zoneEnd(line, at, end);
    }

    private static int zoneEnd(byte[] line, int from, int end) {
        if (from < end && line[from] == 'Z') {
            return from + 1;
        }
        int at = from + 1 < end && line[from] == ' ' ? from + 1 : from;
        if (at >= end || line[at] != '+' && line[at] != '-') {
            return from;
        }
        int digits = digits(line, at + 1, end);
        if (digits == 4) {
            return at + 5;
        }
        boolean hasColon = digits == 2 && at + 3 < end && line[at + 3] == ':' && digits(line, at + 4, end) == 2;
        return hasColon ? at + 6 : from;
    }

    private static int digits(byte[] line, int from, int end) {
        int at = from;
        while (at < end && line[at] >= '0' && line[at] <= '9') {
            at++;
        }
        return at - from;
    }
}
