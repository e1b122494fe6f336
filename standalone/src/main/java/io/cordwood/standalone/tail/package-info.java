/** The live tail: rows of a tenant as Kafka takes them, without Trino and without object storage. */
package io.cordwood.standalone.tail;
