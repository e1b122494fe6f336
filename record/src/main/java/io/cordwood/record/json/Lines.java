package io.cordwood.record.json;

/** The lines of a text in bytes, each up to its line feed. Stateless. */
public final class Lines {
    private Lines() {}

    /** Where the line that begins at {@code from} ends: at its line feed, or at {@code to}. */
    public static int end(byte[] data, int from, int to) {
        int end = from;
        while (end < to && data[end] != '\n') {
            end++;
        }
        return end;
    }

    /** Whether a line has nothing but blanks, tabs and carriage returns. */
    public static boolean isBlank(byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            if (data[i] != ' ' && data[i] != '\t' && data[i] != '\r') {
                return false;
            }
        }
        return true;
    }
}
