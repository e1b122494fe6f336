package io.cordwood.catalog.server.http;

import java.util.Optional;
import org.apache.iceberg.exceptions.NotAuthorizedException;

/** Finds out who sends a request. Thread-safe. */
public interface Authenticator {
    /** Without authentication: every caller may do everything. */
    Authenticator OPEN = authorization -> Caller.ANYONE;

    /**
     * The caller with its permissions.
     *
     * @param authorization value of the header of this name
     * @throws NotAuthorizedException if it has no valid token
     */
    Caller caller(Optional<String> authorization);
}
