package io.cordwood.catalog.server.storage;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** How a client without keys of its own gets at the objects of a table. */
public enum AccessDelegation {
    /** Asks the service to sign each request. */
    REMOTE_SIGNING,
    /** Gets keys that end soon. */
    VENDED_CREDENTIALS;

    /** Name of the header with the ways that a client knows. */
    public static final String HEADER = "X-Iceberg-Access-Delegation";

    /** The ways in a header's list; others than these are ignored. */
    static Set<AccessDelegation> parse(Optional<String> header) {
        Set<AccessDelegation> ways = EnumSet.noneOf(AccessDelegation.class);
        header.ifPresent(list -> Arrays.stream(list.split(","))
                .map(String::strip)
                .forEach(name -> Arrays.stream(values())
                        .filter(way -> way.label().equalsIgnoreCase(name))
                        .forEach(ways::add)));
        return ways;
    }

    /** The name in the header. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
