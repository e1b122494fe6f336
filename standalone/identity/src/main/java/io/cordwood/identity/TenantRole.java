package io.cordwood.identity;

import java.util.Locale;

/** What a user may do with a tenant. Each role is granted by itself; to delete rows is also to read them. */
public enum TenantRole {
    /** Reads the tenant's rows. */
    READER,
    /** Reads and deletes the tenant's rows. */
    DELETER,
    /** Ships the tenant's rows, and commits to its tables. */
    WRITER;

    /** The name in JSON and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of a name. @throws IllegalArgumentException if there is none */
    public static TenantRole of(String label) {
        for (TenantRole role : values()) {
            if (role.label().equals(label)) {
                return role;
            }
        }
        throw new IllegalArgumentException("'%s' is not a role: use reader, deleter or writer".formatted(label));
    }
}
