package io.cordwood.catalog.server.http;

import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.tenant.User;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.exceptions.ForbiddenException;

/**
 * The sender of a request, with its permissions. Immutable.
 *
 * @param name name for messages
 * @param operator whether it may do everything
 * @param schemaNames namespaces that it may use if it is no operator
 */
public record Caller(String name, boolean operator, Set<String> schemaNames) {
    /** Any caller before the registry has a grant. */
    public static final Caller ANYONE_WHILE_OPEN = new Caller("anyone", true, Set.of());

    static Caller of(User user) {
        Set<String> schemaNames =
                user.tenants().stream().map(TenantNames::schemaName).collect(Collectors.toUnmodifiableSet());
        return new Caller(user.name(), user.operator(), schemaNames);
    }

    public boolean sees(Namespace namespace) {
        return operator || (!namespace.isEmpty() && schemaNames.contains(namespace.level(0)));
    }

    public void requireNamespace(Namespace namespace) {
        if (!sees(namespace)) {
            throw new ForbiddenException("User '%s' is not granted namespace '%s'", name, namespace);
        }
    }

    void requireOperator() {
        if (!operator) {
            throw new ForbiddenException("User '%s' is not an operator", name);
        }
    }
}
