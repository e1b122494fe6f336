/**
 * Usage of tenants by hour: what ingest adds with each commit, and what queries report as read.
 */
package io.cordwood.catalog.usage;
