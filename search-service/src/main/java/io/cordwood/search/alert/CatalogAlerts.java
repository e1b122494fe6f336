package io.cordwood.search.alert;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.snapshot.QueryCatalog;
import java.util.List;

/** The alerts of the catalog service. Thread-safe. */
final class CatalogAlerts implements AlertRegistry {
    private static final int CONFLICT = 409;

    private final QueryCatalog catalog;

    CatalogAlerts(QueryCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public List<Alert> alerts() {
        return catalog.alerts();
    }

    @Override
    public long admit(long fence) {
        return catalog.admitAlertEvaluator(fence);
    }

    @Override
    public boolean store(Alert alert, long fence) {
        try {
            return catalog.putAlertStatus(alert, fence);
        } catch (QueryException e) {
            if (e.getCause() instanceof CatalogException refused && refused.status() == CONFLICT) {
                throw new FencedException(refused.getMessage(), refused);
            }
            throw e;
        }
    }
}
