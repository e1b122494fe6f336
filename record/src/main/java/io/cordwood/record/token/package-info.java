/**
 * The right of a record to name its tenant.
 *
 * <p>Kafka does not tell who produced a record, so a record carries a token. Whether it is good depends on the record
 * and on the rules of tokens for its append time only. So the verdict is the same wherever and whenever the record is
 * decoded.
 */
package io.cordwood.record.token;
