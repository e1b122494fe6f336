/**
 * Operations on tables within the catalog service: creating and widening them, checking commits, adding up usage.
 */
package io.cordwood.catalog.server.table;
