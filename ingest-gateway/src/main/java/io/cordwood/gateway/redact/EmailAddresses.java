package io.cordwood.gateway.redact;

import java.util.List;

/** Finds addresses of e-mail. */
final class EmailAddresses implements ScanningDetector {
    private static final int MAX_LOCAL = 128;
    private static final List<String> UNITS =
            List.of(".service", ".socket", ".timer", ".mount", ".slice", ".scope", ".target", ".device");

    @Override
    public String name() {
        return "email";
    }

    @Override
    public Match find(byte[] data, int from, int at, int to) {
        for (int i = at; i < to; i++) {
            // The second is how URLs write it
            int sign = data[i] == '@' ? 1 : data[i] == '%' && Bytes.startsWith(data, i, to, "%40") ? 3 : 0;
            if (sign == 0) {
                continue;
            }
            int start = i;
            while (start > at && i - start < MAX_LOCAL && isLocal(data[start - 1])) {
                start--;
            }
            while (start < i && isWithinCharacter(data[start])) {
                start++;
            }
            int end = domainEnd(data, i + sign, to);
            if (start < i && end > 0 && !isUnit(data, i + sign, end)) {
                return new Match(start, end);
            }
        }
        return Match.NONE;
    }

    /** Whether this byte of UTF-8 does not begin a character. */
    private static boolean isWithinCharacter(byte b) {
        return (b & 0xC0) == 0x80;
    }

    /** Whether it is an instance of a unit of systemd, as {@code getty@tty1.service}. */
    private static boolean isUnit(byte[] data, int from, int end) {
        for (String unit : UNITS) {
            if (Bytes.endsWithIgnoringCase(data, from, end, unit)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLocal(byte b) {
        return Bytes.isWord(b) || "._%+-'!#$&*".indexOf(b) >= 0;
    }

    /** The end of a name of at least two labels, the last with two letters or more; -1 if there is none. */
    private static int domainEnd(byte[] data, int from, int to) {
        int end = -1;
        int label = from;
        for (int i = from; ; i++) {
            boolean isLabel = i < to && (Bytes.isWord(data[i]) || data[i] == '-');
            if (isLabel) {
                continue;
            }
            if (i == label) {
                return end;
            }
            if (label > from && isTop(data, label, i)) {
                end = i;
            }
            if (i == to || data[i] != '.') {
                return end;
            }
            label = i + 1;
        }
    }

    private static boolean isTop(byte[] data, int from, int to) {
        return to - from >= 2 && !Bytes.isDigit(data[from]) && data[from] != '-';
    }
}
