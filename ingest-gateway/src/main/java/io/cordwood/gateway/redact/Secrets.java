package io.cordwood.gateway.redact;

/**
 * Finds passwords, tokens and keys: what stands behind a name such as {@code password=}, credentials in URLs and in the
 * header {@code Authorization}, private keys, and tokens of the forms that well-known services give them.
 */
final class Secrets implements ScanningDetector {
    static final String NAME = "secret";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Match find(byte[] data, int from, int at, int to) {
        for (int i = at; i < to; i++) {
            byte b = data[i];
            Match found = Match.NONE;
            if (b == '=' || b == ':' || b == '>') {
                found = NamedSecrets.behind(data, from, i, to);
            } else if (b == '-') {
                found = KnownTokens.privateKey(data, i, to);
            } else if (Bytes.isLetter(b) && (i == from || !Bytes.isAsciiWord(data[i - 1]))) {
                found = KnownTokens.find(data, from, i, to);
            }
            if (found.isFound()) {
                return found;
            }
        }
        return Match.NONE;
    }
}
