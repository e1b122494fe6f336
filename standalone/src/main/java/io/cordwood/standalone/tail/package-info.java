/** The live tail: rows of a tenant as they arrive in Kafka, without Trino or object storage. */
package io.cordwood.standalone.tail;
