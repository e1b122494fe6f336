package io.cordwood.gateway.redact;

/** Finds addresses of IP, versions 4 and 6. What looks like one, as a version 1.2.3.4, is taken for one. */
final class IpAddresses implements ScanningDetector {
    private static final int V4_PARTS = 4;
    private static final int V6_GROUPS = 8;
    private static final int MAX_BYTE = 255;
    private static final int MAX_NUMBER = 10;

    @Override
    public String name() {
        return "ip_address";
    }

    @Override
    public Match find(byte[] data, int from, int at, int to) {
        for (int i = at; i < to; i++) {
            byte b = data[i];
            if (!Bytes.isHex(b) && b != ':') {
                continue;
            }
            int end = -1;
            if (isStart(data, from, i)) {
                end = end(data, i, to);
            } else if (isBehindColon(data, from, i)) {
                end = v4End(data, i, to);
            }
            if (end > 0 && (end == to || !Bytes.isAsciiWord(data[end]))) {
                return new Match(i, end);
            }
        }
        return Match.NONE;
    }

    /** Whether an address may begin here: not within a word, a number with a fraction, or another address. */
    private static boolean isStart(byte[] data, int from, int at) {
        if (at == from) {
            return true;
        }
        byte before = data[at - 1];
        if (before == '.') {
            return at - 1 == from || !Bytes.isDigit(data[at - 2]);
        }
        if (before == ':') {
            return data[at] != ':' && isBehindLabel(data, from, at - 1);
        }
        // What comes before may be written %2F
        return !Bytes.isAsciiWord(before) || (at - 3 >= from && data[at - 3] == '%');
    }

    private static boolean isBehindColon(byte[] data, int from, int at) {
        return at > from && data[at - 1] == ':' && Bytes.isDigit(data[at]);
    }

    /** Whether a name comes before the colon, as in node:2001:db8::1, and not a group of another address. */
    private static boolean isBehindLabel(byte[] data, int from, int colon) {
        int word = colon;
        while (word > from && colon - word < 5 && Bytes.isHex(data[word - 1])) {
            word--;
        }
        if (word == colon) {
            return colon == from || data[colon - 1] != ':';
        }
        return colon - word > 4 || (word > from && Bytes.isAsciiWord(data[word - 1]));
    }

    private static int end(byte[] data, int at, int to) {
        int v6 = v6End(data, at, to);
        return v6 > 0 || !Bytes.isDigit(data[at]) ? v6 : v4End(data, at, to);
    }

    /** The end of four numbers from 0 to 255 with dots between; -1 if there are none. */
    private static int v4End(byte[] data, int from, int to) {
        int at = from;
        for (int part = 0; part < V4_PARTS; part++) {
            if (part > 0) {
                if (at >= to || data[at] != '.') {
                    return -1;
                }
                at++;
            }
            int first = at;
            int value = 0;
            while (at < to && at - first < 4 && Bytes.isDigit(data[at])) {
                value = 10 * value + (data[at++] - '0');
            }
            if (at == first || at - first > 3 || value > MAX_BYTE) {
                return -1;
            }
        }
        return isLongerIdentifier(data, at, to) ? -1 : at;
    }

    /** Whether two more numbers follow, as in identifiers of objects; one may be a port. */
    private static boolean isLongerIdentifier(byte[] data, int from, int to) {
        int at = from;
        for (int more = 0; more < 2; more++) {
            if (at + 1 >= to || data[at] != '.' || !Bytes.isDigit(data[at + 1])) {
                return false;
            }
            at++;
            int first = at;
            while (at < to && at - first < MAX_NUMBER && Bytes.isDigit(data[at])) {
                at++;
            }
        }
        return true;
    }

    /** The end of eight groups, or fewer around a gap; -1 if there are none. Reads some 45 bytes at most. */
    private static int v6End(byte[] data, int from, int to) {
        int groups = 0;
        boolean hasGap = false;
        boolean hasDigit = false;
        boolean isMac = true;
        int longest = 0;
        int at = from;
        if (at + 1 < to && data[at] == ':') {
            if (data[at + 1] != ':') {
                return -1;
            }
            hasGap = true;
            at += 2;
        }
        while (groups < V6_GROUPS && at < to && Bytes.isHex(data[at])) {
            int first = at;
            while (at < to && at - first < 5 && Bytes.isHex(data[at])) {
                hasDigit |= Bytes.isDigit(data[at]);
                at++;
            }
            longest = Math.max(longest, at - first);
            if (at < to && data[at] == '.' && (groups > 0 || hasGap)) {
                int v4 = v4End(data, first, to);
                if (v4 > 0) {
                    longest = 4;
                    groups += 2;
                    at = v4;
                    break;
                }
            }
            if (at - first > 4) {
                return -1;
            }
            groups++;
            isMac &= at - first == 2;
            if (at >= to || data[at] != ':' || groups == V6_GROUPS) {
                break;
            }
            if (at + 1 < to && data[at + 1] == ':') {
                if (hasGap) {
                    break;
                }
                hasGap = true;
                at += 2;
            } else if (at + 1 < to && Bytes.isHex(data[at + 1])) {
                at++;
            } else {
                break;
            }
        }
        boolean isLoopback = groups == 1 && at - from == "::1".length() && data[at - 1] == '1' && data[from] == ':';
        // Fewer or shorter groups around a gap are names of C++, or slices of Python
        boolean isShort = groups < 2 || (groups == 2 && longest < 3);
        boolean isAddress =
                hasGap ? hasDigit && groups < V6_GROUPS && (!isShort || isLoopback) : groups == V6_GROUPS && !isMac;
        return isAddress ? at : -1;
    }
}
