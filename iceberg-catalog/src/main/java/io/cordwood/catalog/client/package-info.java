/**
 * The client of the catalog service. Begin with {@link io.cordwood.catalog.client.CatalogClient}.
 */
package io.cordwood.catalog.client;
