/**
 * Usage of tenants by hour: additions of ingest with each commit, and bytes read by queries.
 */
package io.cordwood.catalog.usage;
