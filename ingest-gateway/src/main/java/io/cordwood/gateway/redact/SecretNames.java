package io.cordwood.gateway.redact;

import java.util.List;

/** Knows names behind which secrets stand. Stateless. */
final class SecretNames {
    /** Bytes of a name that are looked at. */
    static final int MAX_BYTES = 64;

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

    /** What is told of a password is none. */
    private static final List<String> PROPERTIES = List.of("length", "at", "name", "count", "policy", "url", "expired");

    private static final int MAX_INDEX = 8;

    private SecretNames() {}

    /** Whether a value with this name is secret. */
    static boolean isSecret(byte[] data, int from, int end) {
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
        while (word > from && to - word < MAX_BYTES && isPart(data[word - 1])) {
            word--;
        }
        // As in password2 and password_confirmation
        return Bytes.containsIgnoringCase(data, word, to, "password")
                || Bytes.containsIgnoringCase(data, word, to, "passwd");
    }

    static boolean isPart(byte b) {
        return Bytes.isWord(b) || b == '_' || b == '-' || b == '.';
    }
}
