package io.cordwood.trino;

import com.google.inject.Inject;

/** Makes a {@link CordwoodMetadata} for each transaction. Thread-safe. */
final class CordwoodMetadataFactory {
    private final CordwoodCatalog catalog;
    private final AllTenants allTenants;

    @Inject
    CordwoodMetadataFactory(CordwoodCatalog catalog, AllTenants allTenants) {
        this.catalog = catalog;
        this.allTenants = allTenants;
    }

    CordwoodMetadata create(QueryVersion version) {
        return new CordwoodMetadata(catalog, allTenants, version);
    }
}
