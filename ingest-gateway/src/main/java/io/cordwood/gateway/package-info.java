/** The ingest gateway: doors for shippers that do not speak Kafka. */
package io.cordwood.gateway;
