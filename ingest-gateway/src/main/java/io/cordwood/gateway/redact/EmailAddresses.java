package io.cordwood.gateway.redact;

import java.util.List;

/** Finds addresses of e-mail. */
final class EmailAddresses implements ScanningDetector {
    private static final int MAX_LOCAL = 128;
    private static final List<String> OTHER_ENDS =
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
            if (start < i && end > 0 && !isNoDomain(data, i + sign, end)) {
                return new Match(start, end);
            }
        }
        return Match.NONE;
    }

    /** Whether this byte of UTF-8 does not begin a character. */
    private static boolean isWithinCharacter(byte b) {
        return (b & 0xC0) == 0x80;
    }

    /** Whether it is an instance of a unit of systemd, a picture, or a version, as {@code server@15.0.1.Final}. */
    private static boolean isNoDomain(byte[] data, int from, int end) {
        if (end - from > 3 && Bytes.isDigit(data[from]) && data[from + 1] == 'x' && data[from + 2] == '.') {
            return true;
        }
        int numbers = 0;
        int label = from;
        for (int i = from; i <= end; i++) {
            if (i == end || data[i] == '.') {
                boolean isNumber = i > label;
                for (int digit = label; digit < i; digit++) {
                    isNumber &= Bytes.isDigit(data[digit]);
                }
                numbers += isNumber ? 1 : 0;
                label = i + 1;
            }
        }
        if (numbers >= 2) {
            return true;
        }
        for (String unit : OTHER_ENDS) {
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
