package io.cordwood.compaction.job;

/**
 * A table that is to be looked at in a cycle. Immutable.
 *
 * @param cycle number of the cycle, from 0
 * @param tables how many tables the cycle looks at
 * @param tenantId the tenant
 * @param stream the stream
 */
public record TableVisit(long cycle, int tables, String tenantId, String stream) {}
