/**
 * The database of the catalog service: its schema, its transactions, and one class for each kind of data.
 */
package io.cordwood.catalog.server.store;
