package io.cordwood.search.api;

import io.cordwood.search.http.ApiException;
import java.util.HashMap;
import java.util.Map;

/** Bounds the tails that are open at once, in total and of each tenant. Thread-safe. */
public final class OpenTails {
    private final int max;
    private final int maxOfTenant;
    private final Map<String, Integer> ofTenants = new HashMap<>();
    private int total;

    OpenTails(int max, int maxOfTenant) {
        this.max = max;
        this.maxOfTenant = maxOfTenant;
    }

    /** An open tail, until it is closed. */
    public final class Slot implements AutoCloseable {
        private final String tenant;

        private Slot(String tenant) {
            this.tenant = tenant;
        }

        @Override
        public void close() {
            leave(tenant);
        }
    }

    /** Opens a tail. @throws ApiException with status 429 if there are too many */
    public synchronized Slot enter(String tenant) {
        int ofTenant = ofTenants.getOrDefault(tenant, 0);
        if (total >= max || ofTenant >= maxOfTenant) {
            throw new ApiException(
                    429,
                    "too_many_requests",
                    "Too many tails are open%s: try again later"
                            .formatted(ofTenant >= maxOfTenant ? " of tenant '%s'".formatted(tenant) : ""));
        }
        total++;
        ofTenants.put(tenant, ofTenant + 1);
        return new Slot(tenant);
    }

    private synchronized void leave(String tenant) {
        total--;
        ofTenants.computeIfPresent(tenant, (any, count) -> count == 1 ? null : count - 1);
    }

    /** The number of open tails. */
    public synchronized int count() {
        return total;
    }
}
