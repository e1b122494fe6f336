package io.cordwood.options;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Set;

/** The address of a Redis. Immutable, thread-safe. */
public final class RedisUri extends Checked<URI> {
    private static final Set<String> SCHEMES = Set.of("redis", "rediss");

    RedisUri() {
        super("an address such as redis://127.0.0.1:6379");
    }

    @Override
    protected Optional<URI> read(String text) {
        try {
            URI uri = new URI(text);
            boolean valid = uri.getScheme() != null
                    && SCHEMES.contains(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getPort() > 0;
            return valid ? Optional.of(uri) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
