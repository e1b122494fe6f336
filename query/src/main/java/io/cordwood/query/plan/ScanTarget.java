package io.cordwood.query.plan;

import static java.util.Objects.requireNonNull;

import io.cordwood.query.table.QueryColumn;
import java.util.Map;

/** The tenants whose rows of a stream a scan reads. Immutable. */
public sealed interface ScanTarget {
    /** One tenant's table. */
    record OneTenant(String tenantId) implements ScanTarget {
        public OneTenant {
            requireNonNull(tenantId, "tenantId is null");
        }
    }

    /**
     * The tables of all tenants that the scan's filter admits.
     *
     * @param shown the columns of the scan
     */
    record AllTenants(Map<String, QueryColumn> shown) implements ScanTarget {
        public AllTenants {
            shown = Map.copyOf(shown);
        }
    }
}
