package io.cordwood.catalog.server.identity;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Ids that stand for what the OpenID provider knows, among those of tokens. Stateless. */
final class ExternalIds {
    private static final String PREFIX = "external-";

    private ExternalIds() {}

    /** The root of all tokens that a user gets for those of the provider. */
    static String ofUser(String userName) {
        return id(userName);
    }

    /** A token of the provider, parent of those that it was exchanged for. */
    static String ofToken(String compact) {
        return id(compact);
    }

    private static String id(String text) {
        return PREFIX + UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
