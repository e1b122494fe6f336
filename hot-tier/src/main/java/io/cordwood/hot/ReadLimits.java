package io.cordwood.hot;

import java.time.Duration;

/**
 * How much one scan of the tail may take. Immutable.
 *
 * @param maxBytes bytes of records, keys and values, of all tenants
 * @param patience how long Kafka may give nothing
 */
public record ReadLimits(long maxBytes, Duration patience) {}
