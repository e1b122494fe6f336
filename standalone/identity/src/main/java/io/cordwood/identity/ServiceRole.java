package io.cordwood.identity;

import java.util.Locale;

/** What a service of the lake may do. A service has one role, and no tenants. */
public enum ServiceRole {
    /** Creates tables, commits rows and moves archived-through. */
    INGEST,
    /** Merges and expires LogBlocks, and continues the deletion of tenants. */
    COMPACTOR,
    /** Reads every table, and commits deletes. */
    QUERY,
    /** Reads the registry's quotas. */
    BALANCER,
    /** Reads every table, and reports scans. */
    SEARCH,
    /** Names the tenant of each record that it ships. */
    GATEWAY;

    /** The name in JSON and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of a name. @throws IllegalArgumentException if there is none */
    public static ServiceRole of(String label) {
        for (ServiceRole role : values()) {
            if (role.label().equals(label)) {
                return role;
            }
        }
        throw new IllegalArgumentException(
                "'%s' is not a role of a service: use ingest, compactor, query, balancer, search or gateway"
                        .formatted(label));
    }
}
