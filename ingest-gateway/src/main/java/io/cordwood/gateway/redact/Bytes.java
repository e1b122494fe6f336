package io.cordwood.gateway.redact;

/** Classes of bytes of a text. Stateless. */
final class Bytes {
    private Bytes() {}

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    static boolean isLetter(byte b) {
        int lower = b | 0x20;
        return lower >= 'a' && lower <= 'z';
    }

    /** Letters and digits of ASCII. */
    static boolean isAsciiWord(byte b) {
        return isDigit(b) || isLetter(b);
    }

    /** The same, and what is not ASCII. */
    static boolean isWord(byte b) {
        return b < 0 || isDigit(b) || isLetter(b);
    }

    static boolean isHex(byte b) {
        int lower = b | 0x20;
        return isDigit(b) || (lower >= 'a' && lower <= 'f');
    }

    /** Whether the text goes on with this in the same case. */
    static boolean startsWith(byte[] data, int at, int to, String text) {
        if (to - at < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (data[at + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the text that ends here ends with this, which is in lower case, in any case. */
    static boolean endsWithIgnoringCase(byte[] data, int from, int end, String text) {
        return end - from >= text.length() && equalsIgnoringCase(data, end - text.length(), text);
    }

    /** Whether this, which is in lower case, is here in any case. The data must be long enough. */
    static boolean equalsIgnoringCase(byte[] data, int at, String text) {
        for (int i = 0; i < text.length(); i++) {
            byte b = data[at + i];
            if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether this, which is in lower case, is somewhere in the text, in any case. */
    static boolean containsIgnoringCase(byte[] data, int from, int end, String text) {
        for (int i = from; i + text.length() <= end; i++) {
            if (equalsIgnoringCase(data, i, text)) {
                return true;
            }
        }
        return false;
    }
}
