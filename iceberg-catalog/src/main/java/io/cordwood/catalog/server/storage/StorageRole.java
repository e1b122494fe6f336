package io.cordwood.catalog.server.storage;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Optional;

/**
 * The role of keys that are vended. Immutable.
 *
 * @param arn its name in the store; it may read the warehouse
 * @param stsEndpoint address of the store's security token service; empty for AWS
 */
public record StorageRole(String arn, Optional<URI> stsEndpoint) {
    public StorageRole {
        requireNonNull(stsEndpoint, "stsEndpoint is null");
        if (!arn.startsWith("arn:")) {
            throw new IllegalArgumentException(
                    "The role '%s' is not an ARN, such as arn:aws:iam::1:role/readers".formatted(arn));
        }
    }
}
