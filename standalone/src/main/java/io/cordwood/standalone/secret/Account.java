package io.cordwood.standalone.secret;

import java.util.Locale;

/** The accounts in Kafka and Redis that a stack makes for its own parts. */
public enum Account {
    /** Sets up Kafka; the only account that no rule binds there. */
    ADMIN,
    INGEST,
    QUERY,
    BALANCER,
    GATEWAY,
    /** What {@code bin/cordwood produce} ships with. */
    PRODUCER;

    private static final String PREFIX = "cordwood-";

    /** Whether only services of the stack log in with it, all of which have Cordwood's classes. */
    boolean isOfService() {
        return this == INGEST || this == QUERY || this == BALANCER || this == GATEWAY;
    }

    /** The name of its files. */
    String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name with which it logs in. */
    public String user() {
        return PREFIX + fileName();
    }
}
