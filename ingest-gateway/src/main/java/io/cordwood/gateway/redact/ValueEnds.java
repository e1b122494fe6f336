package io.cordwood.gateway.redact;

/** Finds where values in text end. Stateless. */
final class ValueEnds {
    private ValueEnds() {}

    /** What is between quotes, which may have backslashes before them, as in JSON within a string; none without any. */
    static Match quoted(byte[] data, int from, int to) {
        int at = from;
        while (at < to && data[at] == '\\') {
            at++;
        }
        if (at == to || !isQuote(data[at])) {
            return Match.NONE;
        }
        int slashes = at - from;
        byte quote = data[at];
        int start = at + 1;
        int end = start;
        int before = 0;
        while (end < to) {
            if (data[end] == quote && (slashes == 0 ? before % 2 == 0 : before == slashes)) {
                return new Match(start, end - Math.min(before, slashes));
            }
            before = data[end] == '\\' ? before + 1 : 0;
            end++;
        }
        return new Match(start, to);
    }

    /** The bracket that closes the one here, not counting those between double quotes; else the end. */
    static int bracketEnd(byte[] data, int open, int to) {
        int depth = 0;
        boolean isQuoted = false;
        for (int i = open; i < to; i++) {
            byte b = data[i];
            if (b == '"') {
                isQuoted = !isQuoted;
            } else if (b == '\\' && isQuoted && i + 1 < to && data[i + 1] != '"') {
                i++;
            } else if (!isQuoted && (b == '{' || b == '[')) {
                depth++;
            } else if (!isQuoted && (b == '}' || b == ']') && --depth == 0) {
                return i;
            }
        }
        return to;
    }

    static int lineEnd(byte[] data, int from, int to) {
        int end = from;
        while (end < to && "\n\r]}".indexOf(data[end]) < 0) {
            if (data[end] == '"') {
                if (end == from || data[end - 1] != '=') {
                    break;
                }
                // A parameter, as of Digest and OAuth
                end++;
                while (end < to && data[end] != '"' && data[end] != '\n') {
                    end++;
                }
                if (end == to) {
                    break;
                }
            }
            end++;
        }
        while (end > from && data[end - 1] == '\\') {
            end--;
        }
        return end;
    }

    static int plainEnd(byte[] data, int from, int to) {
        // What a value begins with may be anything
        int end = from < to && data[from] > ' ' && data[from] != ',' && data[from] != '}' ? from + 1 : from;
        while (end < to && (data[end] < 0 || (data[end] > ' ' && "\"'`,;&)]}<>|\\".indexOf(data[end]) < 0))) {
            end++;
        }
        return end;
    }

    static boolean isQuote(byte b) {
        return b == '"' || b == '\'' || b == '`' || b == '\\';
    }
}
