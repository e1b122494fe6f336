/**
 * The client of the catalog service. Start with {@link io.cordwood.catalog.client.CatalogClient}.
 */
package io.cordwood.catalog.client;
