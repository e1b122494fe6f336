package io.cordwood.gateway.redact;

import java.util.List;

/**
 * Finds passwords, tokens and keys: what stands behind a name such as {@code password=}, credentials in URLs and in the
 * header {@code Authorization}, private keys, and tokens of the forms that well-known services give them.
 */
final class Secrets implements ScanningDetector {
    /** What follows a name that ends so is secret. In lower case. */
    private static final List<String> NAMES = List.of(
            "password",
            "passwd",
            "passphrase",
            "pwd",
            "secret",
            "token",
            "apikey",
            "api_key",
            "api-key",
            "access_key",
            "access-key",
            "accesskey",
            "private_key",
            "private-key",
            "privatekey",
            "secret_key",
            "secretkey",
            "authorization",
            "credential",
            "credentials");

    private static final List<String> SCHEMES = List.of("bearer", "basic", "token", "apikey", "splunk");
    private static final List<String> NO_SECRETS = List.of("null", "true", "false", "none", "nil");
    private static final int MIN_SCHEME_TOKEN = 8;

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
    private record Prefix(String text, int least, Alphabet alphabet) {}

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
            new Prefix("pypi-", 30, Alphabet.URL_SAFE),
            new Prefix("SG.", 20, Alphabet.DOTTED),
            new Prefix("hvs.", 20, Alphabet.URL_SAFE));

    private static final String PRIVATE_KEY = "PRIVATE KEY-----";

    @Override
    public String name() {
        return "secret";
    }

    /** Whether a value with this name is secret. */
    static boolean isSecretName(byte[] data, int from, int to) {
        for (String name : NAMES) {
            if (Bytes.endsWithIgnoringCase(data, from, to, name)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Match find(byte[] data, int from, int at, int to) {
        for (int i = at; i < to; i++) {
            byte b = data[i];
            Match found = Match.NONE;
            if (b == '=' || b == ':') {
                found = behindName(data, from, i, to);
            } else if (b == '-') {
                found = privateKey(data, i, to);
            } else if (Bytes.isLetter(b) && (i == from || !Bytes.isWord(data[i - 1]))) {
                found = token(data, from, i, to);
            }
            if (found.isFound()) {
                return found;
            }
        }
        return Match.NONE;
    }

    private static Match behindName(byte[] data, int from, int separator, int to) {
        if (Bytes.startsWith(data, separator, to, "://")) {
            return userInfo(data, separator + 3, to);
        }
        int name = separator;
        while (name > from && (data[name - 1] == ' ' || isQuote(data[name - 1]))) {
            name--;
        }
        if (!isSecretName(data, from, name)) {
            return Match.NONE;
        }
        int start = separator + 1;
        while (start < to && (data[start] == ' ' || data[start] == '=' || data[start] == '>')) {
            start++;
        }
        int end;
        if (start < to && isQuote(data[start])) {
            byte quote = data[start++];
            end = start;
            while (end < to && data[end] != quote) {
                end++;
            }
        } else {
            end = plainEnd(data, start, to);
            if (end < to && data[end] == ' ' && isOneOf(SCHEMES, data, start, end)) {
                end = plainEnd(data, end + 1, to);
            }
        }
        return start == end || isOneOf(NO_SECRETS, data, start, end) ? Match.NONE : new Match(start, end);
    }

    private static boolean isQuote(byte b) {
        return b == '"' || b == '\'' || b == '`' || b == '\\';
    }

    private static int plainEnd(byte[] data, int from, int to) {
        int end = from;
        while (end < to && (data[end] < 0 || (data[end] > ' ' && "\"'`,;&)]}<>|\\".indexOf(data[end]) < 0))) {
            end++;
        }
        return end;
    }

    private static boolean isOneOf(List<String> words, byte[] data, int from, int to) {
        for (String word : words) {
            if (word.length() == to - from && Bytes.equalsIgnoringCase(data, from, word)) {
                return true;
            }
        }
        return false;
    }

    /** The password in {@code user:password@host}. */
    private static Match userInfo(byte[] data, int from, int to) {
        int colon = -1;
        for (int i = from; i < to && data[i] != ' ' && data[i] != '/' && data[i] != '"'; i++) {
            if (data[i] == ':' && colon < 0) {
                colon = i;
            } else if (data[i] == '@') {
                return colon < 0 || colon + 1 == i ? Match.NONE : new Match(colon + 1, i);
            }
        }
        return Match.NONE;
    }

    private static Match privateKey(byte[] data, int at, int to) {
        if (!Bytes.startsWith(data, at, to, "-----BEGIN ")) {
            return Match.NONE;
        }
        int header = indexOf(data, at, Math.min(to, at + 64), PRIVATE_KEY);
        if (header < 0) {
            return Match.NONE;
        }
        int footer = indexOf(data, header + PRIVATE_KEY.length(), to, PRIVATE_KEY);
        return new Match(at, footer < 0 ? to : footer + PRIVATE_KEY.length());
    }

    private static int indexOf(byte[] data, int from, int to, String text) {
        for (int i = from; i + text.length() <= to; i++) {
            if (Bytes.startsWith(data, i, to, text)) {
                return i;
            }
        }
        return -1;
    }

    private static Match token(byte[] data, int from, int at, int to) {
        int second = at + 1 < to ? data[at + 1] : 0;
        switch (data[at] | 0x20) {
            case 'e' -> {
                return second == 'y' && !follows(data, from, at) ? jsonWebToken(data, at, to) : Match.NONE;
            }
            case 'b' -> {
                return schemeToken(data, at, to);
            }
            case 'a', 'g', 'x', 's', 'r', 'w', 'n', 'p', 'h' -> {
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
        int start = at + length;
        int end = start;
        while (end < to && (Alphabet.URL_SAFE.has(data[end]) || "./+=~".indexOf(data[end]) >= 0)) {
            end++;
        }
        return length > 0 && end - start >= MIN_SCHEME_TOKEN ? new Match(start, end) : Match.NONE;
    }

    private static Match prefixed(byte[] data, int at, int to) {
        for (Prefix prefix : PREFIXES) {
            if (!Bytes.startsWith(data, at, to, prefix.text())) {
                continue;
            }
            int start = at + prefix.text().length();
            int end = start;
            while (end < to && prefix.alphabet().has(data[end])) {
                end++;
            }
            if (end - start >= prefix.least()) {
                return new Match(at, end);
            }
        }
        return Match.NONE;
    }
}
