package io.cordwood.query.pattern;

/** Recognizes IPv6 and MAC addresses. Stateless. */
final class Ipv6 {
    private static final int MAX_GROUPS = 8;
    private static final int MIN_GROUPS = 6;
    private static final int MAX_GROUP_DIGITS = 4;

    private Ipv6() {}

    /**
     * The end of the address at {@code line[from .. end)}, or {@code from} if there is none: six to eight groups of hex
     * digits, or fewer with a {@code ::}.
     */
    static int end(byte[] line, int from, int end) {
        int at = from;
        int groups = 0;
        boolean isShortened = false;
        while (at < end && groups <= MAX_GROUPS) {
            int group = at;
            while (at < end && Masker.isHexDigit(line[at])) {
                at++;
            }
            if (at - group > MAX_GROUP_DIGITS) {
                return from;
            }
            groups += at > group ? 1 : 0;
            if (at + 1 < end && line[at] == ':' && line[at + 1] == ':' && !isShortened) {
                isShortened = true;
                at += 2;
            } else if (at + 1 < end && line[at] == ':' && at > group && Masker.isHexDigit(line[at + 1])) {
                at++;
            } else {
                break;
            }
        }
        boolean isAddress =
                isShortened ? groups >= 2 && groups < MAX_GROUPS : groups >= MIN_GROUPS && groups <= MAX_GROUPS;
        return isAddress && !isWordAt(line, at, end) ? at : from;
    }

    private static boolean isWordAt(byte[] line, int at, int end) {
        return at < end && (Character.isLetterOrDigit(line[at] & 0x7F) || line[at] == ':');
    }
}
