package io.cordwood.options;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Set;

/** The address of a service. Immutable, thread-safe. */
public final class HttpUri extends Checked<URI> {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    HttpUri() {
        super("an address such as http://127.0.0.1:8181");
    }

    @Override
    protected Optional<URI> read(String text) {
        try {
            URI uri = new URI(text);
            // A name with an underscore is an authority, and no host.
            return uri.getScheme() != null && SCHEMES.contains(uri.getScheme()) && uri.getAuthority() != null
                    ? Optional.of(uri)
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
