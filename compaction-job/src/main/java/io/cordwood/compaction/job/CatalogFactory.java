package io.cordwood.compaction.job;

import io.cordwood.catalog.client.CatalogClient;
import java.io.Serializable;

/** Connects to the catalog from the task where an operator runs. */
@FunctionalInterface
public interface CatalogFactory extends Serializable {
    CatalogClient connect();
}
