/**
 * Metrics of the catalog service in the text format of Prometheus.
 */
package io.cordwood.catalog.server.metrics;
