package io.cordwood.ingest.builder;

import io.cordwood.ingest.runtime.IngestException;

/**
 * Thrown if the state lacks waiting rows. They are above archived-through: a job started from an older checkpoint, or
 * without one, reads them again.
 */
final class MissingChunksException extends IngestException {
    private static final long serialVersionUID = 1;

    MissingChunksException(TenantBuffer tenant, long firstOffset) {
        super("The state lacks rows of tenant '%s' from %s, offset %d on"
                .formatted(tenant.tenantId(), tenant.partition().partition(), firstOffset));
    }
}
