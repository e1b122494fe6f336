package io.cordwood.catalog.server.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.exceptions.ForbiddenException;

/**
 * Keeps clients from making a signed upload a copy of another tenant's object, by a header that they add afterwards.
 * Thread-safe.
 *
 * <p>AWS and Versity's gateway refuse requests with headers of Amazon's that are not signed. S3Proxy accepts them, but
 * takes a header that is signed as absent for a promise. MinIO does neither. So the first upload asks the store what it
 * does. If it does neither, no upload is signed.
 */
final class CopyGuard implements AutoCloseable {
    private static final String COPY_SOURCE = "x-amz-copy-source";
    private static final String ANY_OTHER = "x-amz-meta-cordwood";
    private static final Map<String, String> PAYLOAD =
            Map.of(ObjectRequest.CONTENT_SHA256, ObjectRequest.UNSIGNED_PAYLOAD);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;

    private final RequestSigner signer;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private volatile Set<String> absent;

    CopyGuard(RequestSigner signer) {
        this.signer = signer;
    }

    /**
     * Names of headers to sign as absent.
     *
     * @param existing address of an object that exists, to ask the store with
     * @throws ForbiddenException if this store can be made to copy in any case
     */
    Set<String> absent(URI existing) {
        Set<String> known = absent;
        if (known == null) {
            known = ask(existing);
            absent = known;
        }
        return known;
    }

    private Set<String> ask(URI existing) {
        // Only a copy may have a source: a store can refuse it for that, and so it is not asked with it alone
        if (refusesWhatIsNotSigned(existing, ANY_OTHER, Set.of())
                && status(existing, Set.of(), Optional.of(COPY_SOURCE)) != OK) {
            return Set.of();
        }
        if (refusesWhatIsNotSigned(existing, COPY_SOURCE, Set.of(COPY_SOURCE))) {
            return Set.of(COPY_SOURCE);
        }
        throw new ForbiddenException(
                "Uploads are not signed: the store %s accepts headers that are not signed, so that"
                        + " an upload could copy objects of others. Ship records, or use keys of your own",
                existing.getAuthority());
    }

    private boolean refusesWhatIsNotSigned(URI existing, String header, Set<String> absent) {
        return status(existing, absent, Optional.empty()) == OK
                && status(existing, absent, Optional.of(header)) == FORBIDDEN;
    }

    /** The answer to a request that is signed, with a header added afterwards. */
    private int status(URI uri, Set<String> absent, Optional<String> added) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(TIMEOUT).HEAD();
        signer.headers("HEAD", uri, PAYLOAD, absent).forEach((name, values) -> request.header(name, values.getFirst()));
        added.ifPresent(header -> request.header(header, uri.getRawPath()));
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot reach the store at " + uri.getAuthority(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking the store at " + uri.getAuthority(), e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
