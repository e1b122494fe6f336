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
            "secret-key",
            "api.key",
            "api key",
            "access key",
            "account_key",
            "accountkey",
            "_pass",
            "secretkey",
            "authorization",
            "credential",
            "credentials");

    /** Words that sentences have before a colon: what follows such needs a digit, or capitals within, to be secret. */
    private static final List<String> SENTENCES = List.of("token", "secret", "credential", "credentials");

    /** What is told of a password is none. */
    private static final List<String> PROPERTIES = List.of("length", "at", "name", "count", "policy", "url", "expired");

    private static final List<String> SCHEMES = List.of("bearer", "basic", "token", "apikey", "splunk");
    private static final List<String> NO_SECRETS = List.of("null", "true", "false", "none", "nil");
    private static final int MIN_SCHEME_TOKEN = 8;
    private static final int MAX_NAME = 64;
    private static final int MIN_RUN = 16;
    private static final int MAX_INDEX = 8;
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

    @Override
    public String name() {
        return "secret";
    }

    /** Whether a value with this name is secret. */
    static boolean isSecretName(byte[] data, int from, int end) {
        int to = end;
        while (to > from && end - to < MAX_INDEX && "[]0123456789 ".indexOf(data[to - 1]) >= 0) {
            to--;
        }
        if (Bytes.endsWithIgnoringCase(data, from, to, "publickeytoken")) {
            return false;
        }
        for (String name : NAMES) {
            if (Bytes.endsWithIgnoringCase(data, from, to, name)) {
                return true;
            }
        }
        for (String property : PROPERTIES) {
            if (Bytes.endsWithIgnoringCase(data, from, to, property)) {
                return false;
            }
        }
        int word = to;
        while (word > from && to - word < MAX_NAME && isNamePart(data[word - 1])) {
            word--;
        }
        // As in password2 and password_confirmation
        return Bytes.containsIgnoringCase(data, word, to, "password")
                || Bytes.containsIgnoringCase(data, word, to, "passwd");
    }

    private static boolean isNamePart(byte b) {
        return Bytes.isWord(b) || b == '_' || b == '-' || b == '.';
    }

    @Override
    public Match find(byte[] data, int from, int at, int to) {
        for (int i = at; i < to; i++) {
            byte b = data[i];
            Match found = Match.NONE;
            if (b == '=' || b == ':' || b == '>') {
                found = behindName(data, from, i, to);
            } else if (b == '-') {
                found = privateKey(data, i, to);
            } else if (Bytes.isLetter(b) && (i == from || !Bytes.isAsciiWord(data[i - 1]))) {
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
        if (isDoubleColon(data, from, separator, to)) {
            return Match.NONE;
        }
        int name = separator;
        while (name > from && (isBlank(data[name - 1]) || isQuote(data[name - 1]))) {
            name--;
        }
        // The index of an array, and what isSecretName takes away
        while (name > from && separator - name < MAX_NAME && data[name - 1] == ']') {
            name--;
        }
        if (!isSecretName(data, from, name) || (data[separator] == '>' && !isTag(data, from, name))) {
            return Match.NONE;
        }
        int start = separator + 1;
        while (start < to && (isBlank(data[start]) || "=>(".indexOf(data[start]) >= 0)) {
            start++;
        }
        if (start < to && (data[start] == '{' || data[start] == '[')) {
            return new Match(start + 1, bracketEnd(data, start, to)).nonEmpty();
        }
        boolean isNothing = data[separator] == '>' && start < to && data[start] == '<';
        if (isNothing || (Bytes.endsWithIgnoringCase(data, from, name, "pwd") && isPath(data, start, to))) {
            return Match.NONE;
        }
        Match key = privateKey(data, start, to);
        if (key.isFound()) {
            return key;
        }
        Match value = quoted(data, start, to);
        if (!value.isFound()) {
            value = new Match(start, plainEnd(data, start, to));
            if (isWords(data, from, name, separator, value, to)) {
                return Match.NONE;
            }
            if (Bytes.endsWithIgnoringCase(data, from, name, "authorization")) {
                value = new Match(start, lineEnd(data, start, to));
            } else if (isOneOf(SCHEMES, data, start, value.to())) {
                int token = value.to();
                while (token < to && isBlank(data[token])) {
                    token++;
                }
                value = new Match(start, Math.max(value.to(), plainEnd(data, token, to)));
            }
        }
        return value.from() == value.to() || isOneOf(NO_SECRETS, data, value.from(), value.to()) ? Match.NONE : value;
    }

    /** Whether it begins like the name of a directory. */
    static boolean isPath(byte[] data, int at, int to) {
        return at < to
                && (data[at] == '/'
                        || data[at] == '~'
                        || (at + 2 < to && Bytes.isLetter(data[at]) && data[at + 1] == ':' && data[at + 2] == '\\'));
    }

    /**
     * Whether the value is a word of a sentence, as in {@code Invalid token: unexpected end}, or the name of the real
     * value, as in {@code Enter password: Password: x}.
     */
    private static boolean isWords(byte[] data, int from, int name, int separator, Match value, int to) {
        int length = value.to() - value.from();
        if (length > MAX_NAME) {
            return false;
        }
        if (length > 1
                && (data[value.to() - 1] == ':' || data[value.to() - 1] == '=')
                && isSecretName(data, value.from(), value.to() - 1)) {
            return true;
        }
        boolean isSentence = data[separator] == ':' && separator + 1 < to && data[separator + 1] == ' ';
        return isSentence
                && !isOneOf(SCHEMES, data, value.from(), value.to())
                && !isRandom(data, value.from(), value.to())
                && SENTENCES.stream().anyMatch(word -> Bytes.endsWithIgnoringCase(data, from, name, word));
    }

    /** As in the names of C++ and Rust. */
    private static boolean isDoubleColon(byte[] data, int from, int at, int to) {
        return data[at] == ':' && ((at + 1 < to && data[at + 1] == ':') || (at > from && data[at - 1] == ':'));
    }

    private static boolean isTag(byte[] data, int from, int end) {
        int at = end;
        while (at > from && end - at < MAX_NAME && isNamePart(data[at - 1])) {
            at--;
        }
        return at > from && data[at - 1] == '<';
    }

    /** What is between quotes, which may have backslashes before them, as in JSON within a string; none without any. */
    private static Match quoted(byte[] data, int from, int to) {
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
    private static int bracketEnd(byte[] data, int open, int to) {
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

    private static int lineEnd(byte[] data, int from, int to) {
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

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static boolean isQuote(byte b) {
        return b == '"' || b == '\'' || b == '`' || b == '\\';
    }

    private static int plainEnd(byte[] data, int from, int to) {
        // What a value begins with may be anything
        int end = from < to && data[from] > ' ' && data[from] != ',' && data[from] != '}' ? from + 1 : from;
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
        int sign = -1;
        for (int i = from; i < to && data[i] != '/' && data[i] != '?' && data[i] != '#' && data[i] != '"'; i++) {
            if (data[i] >= 0 && data[i] <= ' ') {
                break;
            }
            if (data[i] == ':' && colon < 0) {
                colon = i;
            } else if ((data[i] == ',' || data[i] == ';') && colon > 0 && isPort(data, colon + 1, i)) {
                break;
            } else if (data[i] == '@') {
                sign = i;
            }
        }
        return colon < 0 || colon + 1 >= sign ? Match.NONE : new Match(colon + 1, sign);
    }

    private static boolean isPort(byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Bytes.isDigit(data[i]) || i - from > 5) {
                return false;
            }
        }
        return true;
    }

    private static Match privateKey(byte[] data, int at, int to) {
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

    private static Match token(byte[] data, int from, int at, int to) {
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
    private static boolean isRandom(byte[] data, int from, int to) {
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
}
