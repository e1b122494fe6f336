/** The exporter of a JVM's metrics to Prometheus. */
package io.cordwood.standalone.metrics;
