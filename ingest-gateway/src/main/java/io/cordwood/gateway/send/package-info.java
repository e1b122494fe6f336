/** The way of rows to Kafka, and its bounds. */
package io.cordwood.gateway.send;
