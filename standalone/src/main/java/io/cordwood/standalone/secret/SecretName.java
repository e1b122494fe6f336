package io.cordwood.standalone.secret;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The name of a secret that can be rotated: mostly that of its file.
 *
 * @param kind what it is
 * @param subject whose it is: a user, an account or a service; empty if the stack has one
 */
public record SecretName(Kind kind, String subject) {
    /** The kinds of secrets. */
    public enum Kind {
        TOKEN("token", ".token"),
        SIGNING_KEYS("keys that sign tokens", "signing-keys"),
        KAFKA_PASSWORD("password in Kafka", ".kafka.password"),
        REDIS_PASSWORD("password in Redis", ".redis.password"),
        CERTIFICATE("certificate", ".pem"),
        AUTHORITY("authority of the certificates", "ca"),
        SHARED_SECRET("secret of Trino's nodes", "trino.shared-secret"),
        CURSOR_KEY("key of the search service's cursors", "search.cursor-key");

        private final String words;
        private final String suffix;

        Kind(String words, String suffix) {
            this.words = words;
            this.suffix = suffix;
        }

        /** For people. */
        @Override
        public String toString() {
            return words;
        }
    }

    private static final List<String> TOKENS =
            List.of("operator", "ingest", "compactor", "query", "search", "gateway", "balancer");

    /** All names. */
    public static List<SecretName> all() {
        List<SecretName> all = new ArrayList<>();
        TOKENS.forEach(user -> all.add(new SecretName(Kind.TOKEN, user)));
        all.add(new SecretName(Kind.SIGNING_KEYS, ""));
        for (Kind kind : List.of(Kind.KAFKA_PASSWORD, Kind.REDIS_PASSWORD)) {
            for (Account account : Account.values()) {
                all.add(new SecretName(kind, account.fileName()));
            }
        }
        Secrets.CERTIFIED.forEach(service -> all.add(new SecretName(Kind.CERTIFICATE, service)));
        all.add(new SecretName(Kind.AUTHORITY, ""));
        all.add(new SecretName(Kind.SHARED_SECRET, ""));
        all.add(new SecretName(Kind.CURSOR_KEY, ""));
        return all;
    }

    Account account() {
        return Account.valueOf(subject.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return subject + kind.suffix;
    }
}
