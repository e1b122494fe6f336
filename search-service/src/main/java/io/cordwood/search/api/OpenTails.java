package io.cordwood.search.api;

import io.cordwood.catalog.access.Caller;
import io.cordwood.search.http.ApiException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Bounds the tails that are open at once, in total, of each tenant, and of each user. Thread-safe. */
public final class OpenTails {
    private final int max;
    private final int maxOfTenant;
    private final int maxOfUser;
    private final Map<String, Integer> ofTenants = new HashMap<>();
    private final Map<String, Integer> ofUsers = new HashMap<>();
    private int total;

    OpenTails(int max, int maxOfTenant, int maxOfUser) {
        this.max = max;
        this.maxOfTenant = maxOfTenant;
        this.maxOfUser = maxOfUser;
    }

    /** An open tail, until it is closed. */
    public final class Slot implements AutoCloseable {
        private final String tenant;
        private final Optional<String> user;

        private Slot(String tenant, Optional<String> user) {
            this.tenant = tenant;
            this.user = user;
        }

        @Override
        public void close() {
            leave(this);
        }
    }

    /**
     * Opens a tail.
     *
     * @param caller who follows it; an operator, which all callers of an open service are, is not bounded as a user
     * @throws ApiException with status 429 if there are too many
     */
    public Slot enter(Caller caller, String tenant) {
        return enter(Optional.of(caller.user()).filter(any -> !caller.isOperator()), tenant);
    }

    /** Checks, before anything is done for a tail, that one more may be opened now. @throws ApiException if not */
    public void requireRoom(Caller caller, String tenant) {
        enter(caller, tenant).close();
    }

    synchronized Slot enter(Optional<String> user, String tenant) {
        if (user.isPresent() && ofUsers.getOrDefault(user.get(), 0) >= maxOfUser) {
            throw tooMany(" of user '%s'".formatted(user.get()));
        }
        if (ofTenants.getOrDefault(tenant, 0) >= maxOfTenant) {
            throw tooMany(" of tenant '%s'".formatted(tenant));
        }
        if (total >= max) {
            throw tooMany("");
        }
        total++;
        ofTenants.merge(tenant, 1, Integer::sum);
        user.ifPresent(name -> ofUsers.merge(name, 1, Integer::sum));
        return new Slot(tenant, user);
    }

    private static ApiException tooMany(String whose) {
        return new ApiException(
                429, "too_many_requests", "Too many tails are open%s: try again later".formatted(whose));
    }

    private synchronized void leave(Slot slot) {
        total--;
        decrement(ofTenants, slot.tenant);
        slot.user.ifPresent(name -> decrement(ofUsers, name));
    }

    private static void decrement(Map<String, Integer> counts, String name) {
        counts.computeIfPresent(name, (any, count) -> count == 1 ? null : count - 1);
    }

    /** The number of open tails. */
    public synchronized int count() {
        return total;
    }
}
