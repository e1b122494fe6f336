package io.cordwood.gateway.redact;

/** Finds addresses of e-mail. */
final class EmailAddresses implements ScanningDetector {
    private static final int MAX_LOCAL = 128;

    @Override
    public String name() {
        return "email";
    }

    @Override
    public Match find(byte[] data, int from, int at, int to) {
        for (int i = at; i < to; i++) {
            if (data[i] != '@') {
                continue;
            }
            int start = i;
            while (start > at && i - start < MAX_LOCAL && isLocal(data[start - 1])) {
                start--;
            }
            int end = domainEnd(data, i + 1, to);
            if (start < i && end > 0) {
                return new Match(start, end);
            }
        }
        return Match.NONE;
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
