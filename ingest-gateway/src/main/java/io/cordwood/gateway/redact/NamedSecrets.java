package io.cordwood.gateway.redact;

import java.util.List;

/** Finds secrets by the name before them, and passwords in URLs. Stateless. */
final class NamedSecrets {
    /** Words that sentences have before a colon: what follows such needs a digit, or capitals within, to be secret. */
    private static final List<String> SENTENCES = List.of("token", "secret", "credential", "credentials");

    private static final List<String> SCHEMES = List.of("bearer", "basic", "token", "apikey", "splunk");
    private static final List<String> NO_SECRETS = List.of("null", "true", "false", "none", "nil");

    private NamedSecrets() {}

    /** The secret behind a separator, if the name before it is one of a secret. */
    static Match behind(byte[] data, int from, int separator, int to) {
        if (Bytes.startsWith(data, separator, to, "://")) {
            return userInfo(data, separator + 3, to);
        }
        if (isDoubleColon(data, from, separator, to)) {
            return Match.NONE;
        }
        int name = separator;
        while (name > from && (isBlank(data[name - 1]) || ValueEnds.isQuote(data[name - 1]))) {
            name--;
        }
        // The index of an array, and what isSecretName takes away
        while (name > from && separator - name < SecretNames.MAX_BYTES && data[name - 1] == ']') {
            name--;
        }
        if (!SecretNames.isSecret(data, from, name) || (data[separator] == '>' && !isTag(data, from, name))) {
            return Match.NONE;
        }
        int start = separator + 1;
        while (start < to && (isBlank(data[start]) || "=>(".indexOf(data[start]) >= 0)) {
            start++;
        }
        if (start < to && (data[start] == '{' || data[start] == '[')) {
            return new Match(start + 1, ValueEnds.bracketEnd(data, start, to)).nonEmpty();
        }
        boolean isNothing = data[separator] == '>' && start < to && data[start] == '<';
        if (isNothing || (Bytes.endsWithIgnoringCase(data, from, name, "pwd") && isPath(data, start, to))) {
            return Match.NONE;
        }
        Match key = KnownTokens.privateKey(data, start, to);
        if (key.isFound()) {
            return key;
        }
        Match value = ValueEnds.quoted(data, start, to);
        if (!value.isFound()) {
            value = new Match(start, ValueEnds.plainEnd(data, start, to));
            if (isWords(data, from, name, separator, value, to)) {
                return Match.NONE;
            }
            if (Bytes.endsWithIgnoringCase(data, from, name, "authorization")) {
                value = new Match(start, ValueEnds.lineEnd(data, start, to));
            } else if (isOneOf(SCHEMES, data, start, value.to())) {
                int token = value.to();
                while (token < to && isBlank(data[token])) {
                    token++;
                }
                value = new Match(start, Math.max(value.to(), ValueEnds.plainEnd(data, token, to)));
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
        if (length > SecretNames.MAX_BYTES) {
            return false;
        }
        if (length > 1
                && (data[value.to() - 1] == ':' || data[value.to() - 1] == '=')
                && SecretNames.isSecret(data, value.from(), value.to() - 1)) {
            return true;
        }
        boolean isSentence = data[separator] == ':' && separator + 1 < to && data[separator + 1] == ' ';
        return isSentence
                && !isOneOf(SCHEMES, data, value.from(), value.to())
                && !KnownTokens.isRandom(data, value.from(), value.to())
                && SENTENCES.stream().anyMatch(word -> Bytes.endsWithIgnoringCase(data, from, name, word));
    }

    /** As in the names of C++ and Rust. */
    private static boolean isDoubleColon(byte[] data, int from, int at, int to) {
        return data[at] == ':' && ((at + 1 < to && data[at + 1] == ':') || (at > from && data[at - 1] == ':'));
    }

    private static boolean isTag(byte[] data, int from, int end) {
        int at = end;
        while (at > from && end - at < SecretNames.MAX_BYTES && SecretNames.isPart(data[at - 1])) {
            at--;
        }
        return at > from && data[at - 1] == '<';
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
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
}
