package io.cordwood.catalog.protocol;

import org.apache.iceberg.exceptions.NotFoundException;

/**
 * The tenant has no pipeline. Responses have the name of this class as their type, so that a client takes no other
 * answer with status 404 for this one.
 */
public final class NoSuchPipelineException extends NotFoundException {
    private static final long serialVersionUID = 1;

    /** @param schemaName schema of the tenant, which need not be registered */
    public NoSuchPipelineException(String schemaName) {
        super("The tenant with schema '%s' has no pipeline", schemaName);
    }
}
