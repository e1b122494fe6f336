package io.cordwood.catalog.io;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.iceberg.exceptions.NotFoundException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * An object of an S3 store, with its requests. Thread-safe.
 *
 * @param client client that sends the requests, and retries them
 * @param location {@code s3://bucket/key}, not percent-encoded
 */
record S3Object(S3Client client, String location) {
    private static final int SCHEME = "s3://".length();
    private static final int RANGE_NOT_SATISFIABLE = 416;

    S3Object {
        int slash = location.indexOf('/', SCHEME);
        if (slash <= SCHEME || slash == location.length() - 1) {
            throw new IllegalArgumentException("'%s' is not s3://bucket/key".formatted(location));
        }
    }

    private String bucket() {
        return location.substring(SCHEME, location.indexOf('/', SCHEME));
    }

    private String key() {
        return location.substring(location.indexOf('/', SCHEME) + 1);
    }

    /** @throws NotFoundException if there is no such object */
    long length() {
        try {
            return head().contentLength();
        } catch (NoSuchKeyException e) {
            throw notFound(e);
        }
    }

    boolean exists() {
        try {
            head();
            return true;
        } catch (NoSuchKeyException e) {
            return false;
        }
    }

    /** What the keys that begin with this one, which ends in a slash, have between it and the next slash; in order. */
    List<String> commonPrefixes() {
        return client
                .listObjectsV2Paginator(
                        list -> list.bucket(bucket()).prefix(key()).delimiter("/"))
                .commonPrefixes()
                .stream()
                .map(CommonPrefix::prefix)
                .map(prefix -> prefix.substring(key().length(), prefix.length() - 1))
                .sorted()
                .toList();
    }

    private HeadObjectResponse head() {
        return client.headObject(head -> head.bucket(bucket()).key(key()));
    }

    /**
     * Reads from an offset on.
     *
     * @return {@code length} bytes, or fewer if the object ends before
     * @throws NotFoundException if there is no such object
     */
    byte[] read(long offset, int length) throws IOException {
        try {
            return client.getObject(
                    get -> get.bucket(bucket()).key(key()).range("bytes=%d-%d".formatted(offset, offset + length - 1)),
                    S3Clients::wholeBody);
        } catch (NoSuchKeyException e) {
            throw notFound(e);
        } catch (S3Exception e) {
            if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                return new byte[0];
            }
            throw failure(e);
        } catch (SdkException e) {
            throw failure(e);
        }
    }

    private NotFoundException notFound(NoSuchKeyException cause) {
        return new NotFoundException(cause, "%s does not exist", location);
    }

    private IOException failure(SdkException cause) {
        String store = client.serviceClientConfiguration()
                .endpointOverride()
                .map(URI::toString)
                .orElse("S3");
        return new IOException("Cannot read %s from %s: %s".formatted(location, store, cause.getMessage()), cause);
    }
}
