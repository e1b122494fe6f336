package io.cordwood.search.api;

/**
 * What a question is about. Immutable.
 *
 * @param tenant a tenant's id
 * @param stream one of its streams
 * @param operation name of the operation, one of {@link Questions#operations}
 */
public record Target(String tenant, String stream, String operation) {}
