package io.cordwood.hot;

import java.util.Optional;
import java.util.function.Function;

/** The tables that a hot scan reads rows of. One thread at a time uses an implementation. */
public sealed interface HotTables {
    /** The table of this tenant; empty if the scan does not need its rows. */
    Optional<HotTable> find(String tenantId);

    /** Rows of one tenant. */
    static HotTables one(HotTable table) {
        return new One(table);
    }

    /**
     * Rows of many tenants.
     *
     * @param tables the table of a tenant; empty if the scan does not need its rows
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
