package io.cordwood.catalog.server.identity;

import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.server.store.UserStore;
import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.TenantRole;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The registry's users and their grants. Thread-safe. */
public final class Users {
    private final Database database;
    private final Revocations revocations;
    private final Audit audit;
    private final Optional<TokenRegistry> tokens;

    /** @param tokens with authentication, the tokens that depend on users */
    public Users(Database database, Revocations revocations, Audit audit, Optional<TokenRegistry> tokens) {
        this.database = database;
        this.revocations = revocations;
        this.audit = audit;
        this.tokens = tokens;
    }

    /** All users. With authentication, the registry is closed from the start. */
    public AccessRules accessRules() {
        return database.read(connection -> UserStore.accessRules(connection, tokens.isPresent()));
    }

    /** The user of this name; empty if there is none. */
    public Optional<User> find(String userName) {
        return database.read(connection -> UserStore.find(connection, userName));
    }

    /**
     * Adds or replaces the user, and revokes the tokens for what it may not do any more. With authentication, registers
     * the tenants that it is granted: only rows of registered ones are taken.
     *
     * @throws IllegalArgumentException if no user could change the registry any more
     */
    public void put(Caller caller, User user) {
        user.grants().keySet().forEach(TenantNames::schemaName);
        database.write(connection -> {
            Instant from = revocations.begin(connection);
            Optional<User> before = UserStore.find(connection, user.name());
            UserStore.put(connection, user);
            revocations.ofChange(connection, before, user, from);
            if (tokens.isPresent()) {
                for (String tenantId : user.grants().keySet()) {
                    TenantStore.register(connection, tenantId);
                }
                tokens.get().requireOperator(connection);
            }
            if (!before.equals(Optional.of(user))) {
                audit.changed(connection, caller, "user-changed", user.name(), describe(user));
            }
            return null;
        });
    }

    /**
     * Removes the user with its grants, and revokes its tokens; false if there was none.
     *
     * @throws IllegalArgumentException if no user could change the registry any more
     */
    public boolean delete(Caller caller, String userName) {
        return database.write(connection -> {
            revocations.ofUser(connection, userName, revocations.begin(connection));
            boolean existed = UserStore.delete(connection, userName);
            if (existed) {
                audit.changed(connection, caller, "user-removed", userName, "with its grants and tokens");
            }
            if (tokens.isPresent()) {
                tokens.get().requireOperator(connection);
            }
            return existed;
        });
    }

    private static String describe(User user) {
        if (user.service().isPresent()) {
            return "service " + user.service().get().label();
        }
        Map<String, Set<TenantRole>> grants = new TreeMap<>(user.grants());
        return (user.operator() ? "operator; " : "") + "grants: "
                + grants.entrySet().stream()
                        .map(grant -> grant.getKey() + " " + labels(grant.getValue()))
                        .collect(Collectors.joining("; "));
    }

    private static String labels(Set<TenantRole> roles) {
        return roles.stream().sorted().map(TenantRole::label).collect(Collectors.joining(","));
    }
}
