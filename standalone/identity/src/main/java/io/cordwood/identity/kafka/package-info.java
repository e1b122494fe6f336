/** Kafka's TLS and logins from files that are read again when they change. Kafka creates these classes by name. */
package io.cordwood.identity.kafka;
