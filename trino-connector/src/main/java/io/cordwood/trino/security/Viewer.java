package io.cordwood.trino.security;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.query.table.AllTenants;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.system.DeletionsTable;
import io.trino.spi.security.AccessDeniedException;
import java.util.Set;

/**
 * A user under the access rules of one moment. It is asked before anything of a tenant is read: a tenant that does not
 * exist and one that is not granted get the same answer. Immutable.
 */
public final class Viewer {
    private static final String INFORMATION_SCHEMA = "information_schema";

    /** Begins the name of the owner of a view that the connector defines; the name of the viewer follows. */
    private static final String VIEW_OWNER = "view of: ";

    private final String user;
    private final boolean ownsView;
    private final AccessRules rules;

    private Viewer(String user, boolean ownsView, AccessRules rules) {
        this.user = user;
        this.ownsView = ownsView;
        this.rules = rules;
    }

    /**
     * The user of a session.
     *
     * @param name the name in the session: of a user, or of the owner of a view
     */
    public static Viewer of(String name, AccessRules rules) {
        return isViewOwner(name)
                ? new Viewer(name.substring(VIEW_OWNER.length()), true, rules)
                : new Viewer(name, false, rules);
    }

    /** Whether a name is that of the owner of a view. No user may log in with it. */
    public static boolean isViewOwner(String name) {
        return name.startsWith(VIEW_OWNER);
    }

    /**
     * The owner of a view that the connector defines for this user. The engine reads the view's table with this name:
     * it sees what the user sees, and the columns of places ({@link #seesColumn}), by which the view orders rows.
     */
    public String viewOwner() {
        return VIEW_OWNER + user;
    }

    public String user() {
        return user;
    }

    public boolean isOperator() {
        return rules.isOperator(user);
    }

    public boolean seesTenant(String tenantId) {
        return rules.sees(user, tenantId);
    }

    /** The tenants granted for reading; an operator also sees others. */
    public Set<String> tenants() {
        return rules.granted(user).stream().filter(this::seesTenant).collect(toImmutableSet());
    }

    /** Whether the user sees a schema: that of a tenant, or one whose rows are filtered by user. */
    public boolean seesSchema(String schemaName) {
        return schemaName.equals(AllTenants.SCHEMA)
                || schemaName.equals(INFORMATION_SCHEMA)
                || schemaName.equals(DeletionsTable.SCHEMA)
                || isOperator()
                || tenants().stream().anyMatch(tenantId -> isSchemaOf(tenantId, schemaName));
    }

    /** Whether the user may delete rows from the tables of a tenant's schema. */
    public boolean mayDeleteFrom(String schemaName) {
        return isOperator()
                || tenants().stream()
                        .anyMatch(tenantId -> isSchemaOf(tenantId, schemaName) && rules.mayDelete(user, tenantId));
    }

    private static boolean isSchemaOf(String tenantId, String schemaName) {
        return TenantNames.schemaName(tenantId).equals(schemaName);
    }

    /**
     * Whether the user sees a column. The place of a row in the shared topic, also in the name of its LogBlock, tells
     * how much other tenants send.
     */
    public boolean seesColumn(String columnName) {
        return isOperator() || ownsView || !QueryColumn.isPlace(columnName);
    }

    /** The reason of each denial for lack of a grant. */
    public String noGrant() {
        return "user '%s' has no grant for this tenant".formatted(user);
    }

    /** Refuses a schema that the user does not see. */
    public void checkSees(String schemaName) {
        if (!seesSchema(schemaName)) {
            throw new AccessDeniedException("Cannot access schema %s: %s".formatted(schemaName, noGrant()));
        }
    }
}
