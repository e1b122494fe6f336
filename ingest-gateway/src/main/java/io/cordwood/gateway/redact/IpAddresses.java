package io.cordwood.gateway.redact;

/** Finds addresses of IP, versions 4 and 6. */
final class IpAddresses implements ScanningDetector {
    private static final int V4_PARTS = 4;
    private static final int V6_GROUPS = 8;
    private static final int MAX_BYTE = 255;

    @Override
    public String name() {
        return "ip_address";
    }

    @Override
    public Match find(byte[] data, int from, int at, int to) {
        int i = at;
        while (i < to) {
            if (!isPart(data[i])) {
                i++;
                continue;
            }
            int end = i;
            while (end < to && isPart(data[end])) {
                end++;
            }
            Match found = within(data, from, i, end, to);
            if (found.isFound()) {
                return found;
            }
            i = end;
        }
        return Match.NONE;
    }

    private static boolean isPart(byte b) {
        return Bytes.isHex(b) || b == '.' || b == ':';
    }

    /** The address in a run of bytes that addresses have. */
    private static Match within(byte[] data, int from, int start, int end, int to) {
        boolean isAlone = (start == from || !Bytes.isWord(data[start - 1])) && (end == to || !Bytes.isWord(data[end]));
        if (isAlone) {
            int trimmed = end;
            while (trimmed > start
                    && (data[trimmed - 1] == '.' || data[trimmed - 1] == ':')
                    && !(trimmed - start >= 2 && data[trimmed - 1] == ':' && data[trimmed - 2] == ':')) {
                trimmed--;
            }
            if (isV6(data, start, trimmed)) {
                return new Match(start, trimmed);
            }
        }
        for (int i = start; i < end; i++) {
            boolean isFirst =
                    Bytes.isDigit(data[i]) && (i == from || (!Bytes.isWord(data[i - 1]) && data[i - 1] != '.'));
            int last = isFirst ? v4End(data, i, end) : -1;
            if (last > 0 && (last == to || !Bytes.isWord(data[last]))) {
                return new Match(i, last);
            }
        }
        return Match.NONE;
    }

    /** The end of four numbers from 0 to 255 with dots between, and no fifth; -1 if there are none. */
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
        boolean goesOn = at + 1 < to && data[at] == '.' && Bytes.isDigit(data[at + 1]);
        return goesOn ? -1 : at;
    }

    private static boolean isV6(byte[] data, int from, int to) {
        int groups = 0;
        boolean hasGap = false;
        boolean isSeparated = true;
        int i = from;
        while (i < to) {
            if (data[i] == ':') {
                boolean isGap = i + 1 < to && data[i + 1] == ':';
                if ((isGap && hasGap) || (!isGap && isSeparated)) {
                    return false;
                }
                hasGap |= isGap;
                isSeparated = true;
                i += isGap ? 2 : 1;
                continue;
            }
            if (!isSeparated) {
                return false;
            }
            int end = i;
            while (end < to && Bytes.isHex(data[end])) {
                end++;
            }
            if (end < to && data[end] == '.') {
                groups += 2;
                end = v4End(data, i, to);
                if (end != to) {
                    return false;
                }
            } else if (end == i || end - i > 4) {
                return false;
            } else {
                groups++;
            }
            isSeparated = false;
            i = end;
        }
        boolean endsWell = !isSeparated || (to - from >= 2 && data[to - 1] == ':' && data[to - 2] == ':');
        return endsWell && (hasGap ? groups >= 1 && groups < V6_GROUPS : groups == V6_GROUPS);
    }
}
