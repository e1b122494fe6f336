/**
 * From a Kafka value to rows: JSON, OTLP and plain lines. {@link io.cordwood.record.decode.RecordDecoder} is the entry.
 */
package io.cordwood.record.decode;
