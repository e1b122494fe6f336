/** Rows as the JSON objects that travel to Kafka. */
package io.cordwood.gateway.row;
