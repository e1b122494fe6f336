package io.cordwood.identity;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetParseException;
import com.nimbusds.jose.jwk.source.JWKSetRetrievalException;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The present keys of an OpenID provider, by its discovery document. Nothing is followed to where the provider has not
 * said by itself, over https or on this machine. Both requests end by one deadline, however slowly the provider
 * answers: whoever else needs the keys waits meanwhile. Thread-safe.
 */
final class DiscoveredKeys implements JWKSetSource<SecurityContext> {
    private static final int MAX_BYTES = 256 << 10;
    private static final int OK = 200;

    private final URI issuer;
    private final Duration maxReading;

    /** @param maxReading how long reading the keys may take in all */
    DiscoveredKeys(URI issuer, Duration maxReading) {
        this.issuer = issuer;
        this.maxReading = maxReading;
    }

    @Override
    public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long now, SecurityContext context)
            throws KeySourceException {
        long deadline = System.nanoTime() + maxReading.toNanos();
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        try {
            String discovery = issuer.toString().replaceFirst("/$", "") + "/.well-known/openid-configuration";
            String document = read(http, URI.create(discovery), deadline);
            return JWKSet.parse(read(http, jwksUri(JSONObjectUtils.parse(document)), deadline));
        } catch (IOException e) {
            throw new JWKSetRetrievalException("its keys cannot be read (%s)".formatted(e.getMessage()), e);
        } catch (ParseException | IllegalArgumentException e) {
            throw new JWKSetParseException("its keys cannot be read (%s)".formatted(e.getMessage()), e);
        } finally {
            http.shutdownNow();
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

    /** The deadline is that of the whole body: the client's own timeout ends with the headers. */
    private String read(HttpClient http, URI address, long deadline) throws IOException {
        CompletableFuture<HttpResponse<String>> answer = http.sendAsync(
                HttpRequest.newBuilder(address).build(), response -> new BoundedText(address, MAX_BYTES));
        try {
            HttpResponse<String> response = answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (response.statusCode() != OK) {
                throw new IOException("%s answered with status %d".formatted(address, response.statusCode()));
            }
            return response.body();
        } catch (TimeoutException e) {
            throw new IOException("%s has not answered within %s".formatted(address, maxReading), e);
        } catch (ExecutionException e) {
            throw new IOException("%s: %s".formatted(address, e.getCause().getMessage()), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while reading " + address, e);
        } finally {
            answer.cancel(true);
        }
    }

    @Override
    public void close() {
        // Holds nothing
    }
}
