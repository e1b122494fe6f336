package io.cordwood.hot;

import java.util.Optional;
import java.util.function.Function;

/** Whose rows a scan of the tail wants. Implementations are used by one thread at a time. */
public sealed interface HotTables {
    /** What the rows of this tenant are decoded for; empty if they are not wanted. */
    Optional<HotTable> find(String tenantId);

    /** Rows of one tenant. */
    static HotTables one(HotTable table) {
        return new One(table);
    }

    /**
     * Rows of many tenants.
     *
     * @param tables says of a tenant what its rows are decoded for; empty if they are not wanted
     */
    static HotTables many(Function<String, Optional<HotTable>> tables) {
        return new Many(tables);
    }

    /** Rows of one tenant. */
    record One(HotTable table) implements HotTables {
        @Override
        public Optional<HotTable> find(String tenantId) {
            return tenantId.equals(table.tenantId()) ? Optional.of(table) : Optional.empty();
        }
    }

    /** Rows of many tenants. */
    record Many(Function<String, Optional<HotTable>> tables) implements HotTables {
        @Override
        public Optional<HotTable> find(String tenantId) {
            return tables.apply(tenantId);
        }
    }
}
