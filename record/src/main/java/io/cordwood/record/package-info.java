/**
 * A record of Kafka, and the reason why one cannot be decoded.
 *
 * <p>The packages in their order: {@code decode} fills a {@code buffer} from {@code json}, as {@code policy} says;
 * {@code assemble} makes a table's rows of it.
 */
package io.cordwood.record;
