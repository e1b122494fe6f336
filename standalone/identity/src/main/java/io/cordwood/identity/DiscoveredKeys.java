package io.cordwood.identity;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetParseException;
import com.nimbusds.jose.jwk.source.JWKSetRetrievalException;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.util.Map;

/**
 * The present keys of an OpenID provider, by its discovery document. Nothing is followed to where the provider has not
 * said by itself, over https or on this machine. Thread-safe.
 */
final class DiscoveredKeys implements JWKSetSource<SecurityContext> {
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int MAX_BYTES = 256 << 10;

    private final URI issuer;
    private final ResourceRetriever retriever =
            new DefaultResourceRetriever(TIMEOUT_MILLIS, TIMEOUT_MILLIS, MAX_BYTES) {
                @Override
                protected HttpURLConnection openHTTPConnection(URL url) throws IOException {
                    HttpURLConnection connection = super.openHTTPConnection(url);
                    connection.setInstanceFollowRedirects(false);
                    return connection;
                }
            };

    DiscoveredKeys(URI issuer) {
        this.issuer = issuer;
    }

    @Override
    public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long now, SecurityContext context)
            throws KeySourceException {
        try {
            String discovery = issuer.toString().replaceFirst("/$", "") + "/.well-known/openid-configuration";
            return JWKSet.parse(read(jwksUri(JSONObjectUtils.parse(read(URI.create(discovery))))));
        } catch (IOException e) {
            throw new JWKSetRetrievalException("its keys cannot be read (%s)".formatted(e.getMessage()), e);
        } catch (ParseException | IllegalArgumentException e) {
            throw new JWKSetParseException("its keys cannot be read (%s)".formatted(e.getMessage()), e);
        }
    }

    private URI jwksUri(Map<String, Object> document) throws ParseException {
        String named = JSONObjectUtils.getString(document, "issuer");
        if (!issuer.toString().equals(named)) {
            throw new IllegalArgumentException("it calls itself '%s'".formatted(named));
        }
        URI keys = JSONObjectUtils.getURI(document, "jwks_uri");
        if (keys == null || !OpenIdProvider.isSafe(keys)) {
            throw new IllegalArgumentException("jwks_uri '%s' is no https URL".formatted(keys));
        }
        return keys;
    }

    private String read(URI address) throws IOException {
        return retriever.retrieveResource(address.toURL()).getContent();
    }

    @Override
    public void close() {
        // Holds nothing
    }
}
