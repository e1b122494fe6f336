package io.cordwood.gateway.redact;

import java.util.List;

/** Finds tokens and keys of the forms that well-known services give them. Stateless. */
final class KnownTokens {
    private static final int MIN_SCHEME_TOKEN = 8;
    private static final int MIN_RUN = 16;
    /** How far a token is read before it is known for one. */
    private static final int MAX_LOOK = 256;

    /** The bytes of a token. */
    private enum Alphabet {
        ALPHANUMERIC(""),
        URL_SAFE("_-"),
        DOTTED("_-.");

        private final String more;

        Alphabet(String more) {
            this.more = more;
        }

        boolean has(byte b) {
            return Bytes.isDigit(b) || Bytes.isLetter(b) || more.indexOf(b) >= 0;
        }
    }

    /** A token that begins so, with at least so many bytes of its alphabet behind. */
    private record Prefix(String text, int least, Alphabet alphabet) {
        /** Whether names of other things begin so, of words with dashes or dots between. */
        boolean hasNames() {
            return text.equals("sk-") || text.equals("SG.");
        }

        /** Where the bytes of the alphabet end. */
        int end(byte[] data, int from, int to) {
            int end = from;
            while (end < to && alphabet.has(data[end])) {
                end++;
            }
            return end;
        }
    }

    private static final List<Prefix> PREFIXES = List.of(
            new Prefix("AKIA", 16, Alphabet.ALPHANUMERIC),
            new Prefix("ASIA", 16, Alphabet.ALPHANUMERIC),
            new Prefix("AIza", 35, Alphabet.URL_SAFE),
            new Prefix("ghp_", 30, Alphabet.ALPHANUMERIC),
            new Prefix("gho_", 30, Alphabet.ALPHANUMERIC),
            new Prefix("ghu_", 30, Alphabet.ALPHANUMERIC),
            new Prefix("ghs_", 30, Alphabet.ALPHANUMERIC),
            new Prefix("ghr_", 30, Alphabet.ALPHANUMERIC),
            new Prefix("github_pat_", 22, Alphabet.URL_SAFE),
            new Prefix("glpat-", 20, Alphabet.URL_SAFE),
            new Prefix("xoxa-", 10, Alphabet.URL_SAFE),
            new Prefix("xoxb-", 10, Alphabet.URL_SAFE),
            new Prefix("xoxp-", 10, Alphabet.URL_SAFE),
            new Prefix("xoxr-", 10, Alphabet.URL_SAFE),
            new Prefix("xoxs-", 10, Alphabet.URL_SAFE),
            new Prefix("xapp-", 10, Alphabet.URL_SAFE),
            new Prefix("sk_live_", 10, Alphabet.ALPHANUMERIC),
            new Prefix("sk_test_", 10, Alphabet.ALPHANUMERIC),
            new Prefix("rk_live_", 10, Alphabet.ALPHANUMERIC),
            new Prefix("rk_test_", 10, Alphabet.ALPHANUMERIC),
            new Prefix("whsec_", 16, Alphabet.ALPHANUMERIC),
            new Prefix("sk-", 24, Alphabet.URL_SAFE),
            new Prefix("npm_", 30, Alphabet.ALPHANUMERIC),
            new Prefix("pypi-AgE", 30, Alphabet.URL_SAFE),
            new Prefix("SG.", 20, Alphabet.DOTTED),
            new Prefix("hvs.", 20, Alphabet.URL_SAFE),
            new Prefix("ya29.", 20, Alphabet.URL_SAFE),
            new Prefix("GOCSPX-", 20, Alphabet.URL_SAFE),
            new Prefix("shpat_", 20, Alphabet.ALPHANUMERIC),
            new Prefix("dckr_pat_", 20, Alphabet.URL_SAFE),
            new Prefix("hf_", 30, Alphabet.ALPHANUMERIC),
            new Prefix("glrt-", 20, Alphabet.URL_SAFE),
            new Prefix("glptt-", 20, Alphabet.URL_SAFE));

    private static final String PRIVATE_KEY = "PRIVATE KEY";

    private KnownTokens() {}

    /** The token that begins here, as a word does. */
    static Match find(byte[] data, int from, int at, int to) {
        int second = at + 1 < to ? data[at + 1] : 0;
        switch (data[at] | 0x20) {
            case 'e' -> {
                return second == 'y' && !follows(data, from, at) ? jsonWebToken(data, at, to) : Match.NONE;
            }
            case 'b' -> {
                return schemeToken(data, at, to);
            }
            case 'a', 'd', 'g', 'x', 's', 'r', 'w', 'n', 'p', 'h', 'y' -> {
                return prefixed(data, at, to);
            }
            default -> {
                return Match.NONE;
            }
        }
    }

    /** Whether it goes on with what the same run of bytes began, so that each run is read once. */
    private static boolean follows(byte[] data, int from, int at) {
        return at > from && Alphabet.URL_SAFE.has(data[at - 1]);
    }

    /** Three parts in Base64; the first begins with <code>{"</code>. */
    private static Match jsonWebToken(byte[] data, int at, int to) {
        if (!Bytes.startsWith(data, at, to, "eyJ")) {
            return Match.NONE;
        }
        int end = at;
        for (int part = 0; part < 3; part++) {
            int start = end;
            while (end < to && Alphabet.URL_SAFE.has(data[end])) {
                end++;
            }
            if (part < 2 && (end - start < 4 || end == to || data[end++] != '.')) {
                return Match.NONE;
            }
        }
        return new Match(at, end);
    }

    /** What follows {@code Bearer} or {@code Basic}. */
    private static Match schemeToken(byte[] data, int at, int to) {
        int length = 0;
        for (String scheme : List.of("bearer ", "basic ")) {
            if (to - at > scheme.length() && Bytes.equalsIgnoringCase(data, at, scheme)) {
                length = scheme.length();
            }
        }
        if (length == 0) {
            return Match.NONE;
        }
        int start = at + length;
        int end = start;
        while (end < to && (Alphabet.URL_SAFE.has(data[end]) || "./+=~".indexOf(data[end]) >= 0)) {
            end++;
        }
        return end - start >= MIN_SCHEME_TOKEN && isRandom(data, start, end) ? new Match(start, end) : Match.NONE;
    }

    /** Whether it is no word: it has a digit, or a capital behind a small letter. */
    static boolean isRandom(byte[] data, int from, int to) {
        boolean hasSmall = false;
        for (int i = from; i < to; i++) {
            boolean isCapital = data[i] >= 'A' && data[i] <= 'Z';
            if (Bytes.isDigit(data[i]) || data[i] == '=' || (isCapital && hasSmall)) {
                return true;
            }
            hasSmall |= Bytes.isLetter(data[i]) && !isCapital;
        }
        return false;
    }

    /** The most letters and digits one after the other. */
    private static int longestRun(byte[] data, int from, int to) {
        int longest = 0;
        int run = 0;
        for (int i = from; i < to; i++) {
            run = Bytes.isAsciiWord(data[i]) ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    private static Match prefixed(byte[] data, int at, int to) {
        for (Prefix prefix : PREFIXES) {
            if (!Bytes.startsWith(data, at, to, prefix.text())) {
                continue;
            }
            int start = at + prefix.text().length();
            int end = prefix.end(data, start, Math.min(to, start + MAX_LOOK));
            boolean isName = prefix.hasNames() && longestRun(data, start, end) < MIN_RUN;
            if (end - start >= prefix.least() && !isName) {
                return new Match(at, prefix.end(data, end, to));
            }
        }
        return Match.NONE;
    }

    /** The private key that begins here, to the end of its last line. */
    static Match privateKey(byte[] data, int at, int to) {
        if (!Bytes.startsWith(data, at, to, "-----BEGIN ")) {
            return Match.NONE;
        }
        int header = indexOf(data, at, Math.min(to, at + 64), PRIVATE_KEY);
        if (header < 0) {
            return Match.NONE;
        }
        int footer = indexOf(data, header, to, "-----END ");
        int last = footer < 0 ? -1 : indexOf(data, footer + "-----END ".length(), to, "-----");
        return new Match(at, last < 0 ? to : last + "-----".length());
    }

    private static int indexOf(byte[] data, int from, int to, String text) {
        for (int i = from; i + text.length() <= to; i++) {
            if (Bytes.startsWith(data, i, to, text)) {
                return i;
            }
        }
        return -1;
    }
}
