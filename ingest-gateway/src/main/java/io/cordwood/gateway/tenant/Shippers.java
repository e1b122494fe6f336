package io.cordwood.gateway.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.access.Caller;
import io.cordwood.catalog.access.Callers;
import io.cordwood.catalog.access.NotAuthenticatedException;
import io.cordwood.catalog.access.RulesUnavailableException;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.gateway.pipeline.TenantPipeline;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import java.util.Optional;
import java.util.Set;

/** Finds out who sends a request, and for which tenant. Thread-safe. */
public final class Shippers {
    private static final String DEFAULT_TENANT = "default";

    private final boolean isOpen;
    private final Callers callers;
    private final Registry registry;

    /**
     * @param isOpen whether anyone may send for every tenant
     * @param tenants asks the catalog service for tenants
     */
    public Shippers(boolean isOpen, Callers callers, TenantSource tenants) {
        this.isOpen = isOpen;
        this.callers = callers;
        this.registry = new Registry(tenants, System::nanoTime);
    }

    /**
     * The sender of a request and its tenant.
     *
     * @param authorization value of the header of this name
     * @param named the tenant that the request names; empty: the only one that the sender may write to
     * @throws RefusedException if the sender is unknown, may not write to the tenant, or must name one
     */
    public Shipper shipper(Optional<String> authorization, Optional<String> named) {
        Caller caller = caller(authorization);
        String tenant = named.or(() -> onlyTenant(caller)).orElseThrow(Shippers::tenantNeeded);
        if (tenant.isEmpty() || tenant.getBytes(UTF_8).length > TenantNames.MAX_ID_BYTES) {
            throw RefusedException.malformed("A tenant id has 1 to %d bytes".formatted(TenantNames.MAX_ID_BYTES));
        }
        if (!isOpen && !caller.isOperator() && !caller.writableTenants().contains(tenant)) {
            throw forbidden(tenant);
        }
        return new Shipper(caller, tenant, registered(tenant), pipeline(tenant));
    }

    private Caller caller(Optional<String> authorization) {
        try {
            return callers.caller(authorization);
        } catch (NotAuthenticatedException e) {
            throw new RefusedException(Reason.UNAUTHENTICATED, e.getMessage());
        } catch (RulesUnavailableException e) {
            throw RefusedException.unavailable(e.getMessage(), e);
        }
    }

    private Optional<String> onlyTenant(Caller caller) {
        if (isOpen) {
            return Optional.of(DEFAULT_TENANT);
        }
        Set<String> tenants = caller.writableTenants();
        return tenants.size() == 1 ? tenants.stream().findFirst() : Optional.empty();
    }

    private static RefusedException tenantNeeded() {
        return RefusedException.malformed(
                "Name the tenant in the header X-Scope-OrgID: the key is good for several, or for none");
    }

    static RefusedException forbidden(String tenant) {
        return new RefusedException(Reason.FORBIDDEN, "The key may not write to tenant '%s'".formatted(tenant));
    }

    private Optional<Tenant> registered(String tenant) {
        Optional<Tenant> found;
        try {
            found = registry.tenant(tenant);
        } catch (RuntimeException e) {
            if (!isOpen) {
                throw catalogNeeded(e);
            }
            return Optional.empty();
        }
        if (!isOpen && found.isEmpty()) {
            throw forbidden(tenant);
        }
        return found;
    }

    /** Rows of a tenant whose pipeline is not known must not go past it. */
    private Optional<TenantPipeline> pipeline(String tenant) {
        try {
            return registry.pipeline(tenant);
        } catch (RuntimeException e) {
            throw catalogNeeded(e);
        }
    }

    private static RefusedException catalogNeeded(RuntimeException failure) {
        return RefusedException.unavailable("The catalog service does not answer: send again later", failure);
    }
}
