package io.cordwood.gateway.redact;

/**
 * Finds numbers of payment cards: as digits alone, or in the groups in which cards show them, with a blank, dash, dot
 * or plus between. The length must be one that the first digits allow, and the last digit must be that of Luhn's
 * formula.
 */
final class CardNumbers implements ScanningDetector {
    private static final int MIN_DIGITS = 13;
    private static final int MAX_DIGITS = 19;
    private static final int[][] GROUPS = {
        {4, 4, 4, 4, 3}, {4, 4, 4, 4}, {4, 4, 4, 3}, {4, 4, 4, 2}, {4, 6, 5}, {4, 6, 4}
    };

    @Override
    public String name() {
        return "card_number";
    }

    @Override
    public Match find(byte[] data, int from, int at, int to) {
        int i = at;
        while (i < to) {
            if (!Bytes.isDigit(data[i])) {
                // Digits of %20 belong to no number
                boolean isEscape = data[i] == '%' && i + 2 < to && Bytes.isHex(data[i + 1]) && Bytes.isHex(data[i + 2]);
                i += isEscape ? 3 : 1;
                continue;
            }
            int end = digitsEnd(data, i, to);
            if (!isWithinNumber(data, from, i)) {
                if (end - i >= MIN_DIGITS
                        && end - i <= MAX_DIGITS
                        && isCard(data, i, end)
                        && !isWithinHex(data, from, i, end, to)) {
                    return new Match(i, end);
                }
                if (end - i == 4) {
                    int last = groupsEnd(data, i, to);
                    if (last > 0 && !isWithinHex(data, from, i, last, to)) {
                        return new Match(i, last);
                    }
                }
            }
            i = end;
        }
        return Match.NONE;
    }

    /** Whether it is a part of a digest, an id of a trace or a UUID: letters from a to f around, 32 digits or more. */
    private static boolean isWithinHex(byte[] data, int from, int first, int last, int to) {
        int start = first;
        int end = last;
        boolean hasLetter = false;
        while (start > from && first - start < 64 && (Bytes.isHex(data[start - 1]) || data[start - 1] == '-')) {
            hasLetter |= Bytes.isLetter(data[--start]);
        }
        while (end < to && end - last < 64 && (Bytes.isHex(data[end]) || data[end] == '-')) {
            hasLetter |= Bytes.isLetter(data[end++]);
        }
        return hasLetter && end - start >= 32;
    }

    private static int digitsEnd(byte[] data, int from, int to) {
        int end = from;
        while (end < to && Bytes.isDigit(data[end])) {
            end++;
        }
        return end;
    }

    /** Whether what comes here continues a number: digits before it, or the fraction of one. */
    private static boolean isWithinNumber(byte[] data, int from, int at) {
        return at > from
                && ((Bytes.isDigit(data[at - 1]) && !(at - 3 >= from && data[at - 3] == '%'))
                        || (data[at - 1] == '.' && at - 1 > from && Bytes.isDigit(data[at - 2])));
    }

    /** The end of a number in groups; -1 if there is none. */
    private static int groupsEnd(byte[] data, int from, int to) {
        for (int[] groups : GROUPS) {
            int end = groupsEnd(data, from, to, groups);
            if (end > 0 && isCard(data, from, end)) {
                return end;
            }
        }
        return -1;
    }

    private static int groupsEnd(byte[] data, int from, int to, int[] groups) {
        int at = from;
        for (int i = 0; i < groups.length; i++) {
            if (i > 0) {
                int separator = separatorLength(data, at, to);
                if (separator == 0) {
                    return -1;
                }
                at += separator;
            }
            if (digitsEnd(data, at, to) - at != groups[i]) {
                return -1;
            }
            at += groups[i];
        }
        return at;
    }

    private static int separatorLength(byte[] data, int at, int to) {
        if (at >= to) {
            return 0;
        }
        return switch (data[at]) {
            case ' ', '-', '+', '.', '\t' -> 1;
            case '%' -> Bytes.startsWith(data, at, to, "%20") || Bytes.startsWith(data, at, to, "%2D") ? 3 : 0;
            // The blank that breaks no line, and dashes
            case (byte) 0xC2 -> at + 1 < to && data[at + 1] == (byte) 0xA0 ? 2 : 0;
            case (byte) 0xE2 -> at + 2 < to && data[at + 1] == (byte) 0x80 && isDash(data[at + 2]) ? 3 : 0;
            default -> 0;
        };
    }

    private static boolean isDash(byte last) {
        return last >= (byte) 0x90 && last <= (byte) 0x94;
    }

    private static boolean isCard(byte[] data, int from, int to) {
        int digits = 0;
        int prefix = 0;
        int sum = 0;
        boolean isDoubled = false;
        for (int i = to - 1; i >= from; i--) {
            if (!isOwnDigit(data, i)) {
                continue;
            }
            int digit = data[i] - '0';
            digits++;
            int weighted = isDoubled ? 2 * digit : digit;
            sum += weighted > 9 ? weighted - 9 : weighted;
            isDoubled = !isDoubled;
        }
        for (int i = from, taken = 0; taken < 2; i++) {
            if (isOwnDigit(data, i)) {
                prefix = 10 * prefix + (data[i] - '0');
                taken++;
            }
        }
        return sum % 10 == 0 && isLength(prefix, digits);
    }

    /** Whether it is a digit of the number, and not of a separator as {@code %20}. */
    private static boolean isOwnDigit(byte[] data, int at) {
        return Bytes.isDigit(data[at])
                && !(at > 0 && data[at - 1] == '%')
                && !(at > 1 && data[at - 2] == '%' && Bytes.isDigit(data[at - 1]));
    }

    /** Whether numbers that begin with these two digits have so many. */
    private static boolean isLength(int prefix, int digits) {
        return switch (prefix / 10) {
            case 4 -> digits == 13 || digits == 16 || digits == 19;
            case 1 -> prefix == 18 && digits == 15;
            case 2 ->
                prefix == 21 ? digits == 15 : prefix == 22 ? digits >= 16 : prefix > 22 && prefix <= 27 && digits == 16;
            case 9 -> prefix == 97 && digits == 16;
            case 5 -> prefix >= 51 && prefix <= 55 ? digits == 16 : digits >= MIN_DIGITS;
            case 6 -> digits >= 16;
            case 3 ->
                switch (prefix) {
                    case 34, 37 -> digits == 15;
                    case 35 -> digits >= 16;
                    case 30, 36, 38, 39 -> digits >= 14;
                    default -> false;
                };
            default -> false;
        };
    }
}
