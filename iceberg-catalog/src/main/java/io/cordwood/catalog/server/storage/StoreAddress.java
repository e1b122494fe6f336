package io.cordwood.catalog.server.storage;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.io.S3Settings;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.iceberg.exceptions.ForbiddenException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The one bucket of a store in which the warehouse is, and the addresses of its objects. Immutable.
 *
 * <p>An address stands for one key only if every reader of it finds the same one. So it must be encoded exactly as S3's
 * own clients do it: once, and only what needs it. Then what the store decodes is what is compared here.
 *
 * @param endpoint address of the store
 * @param bucket the bucket's name
 * @param virtualHosts whether the store also finds the bucket in the host name
 */
record StoreAddress(URI endpoint, String bucket, boolean virtualHosts) {
    private static final String SCHEME = "s3://";
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;
    /** What a second decoding would make a separator, a dot or a percent sign of. */
    private static final Pattern ENCODED_TWICE = Pattern.compile("%(2f|5c|2e|25)", Pattern.CASE_INSENSITIVE);

    StoreAddress {
        requireNonNull(endpoint, "endpoint is null");
        requireNonNull(bucket, "bucket is null");
    }

    /** The store of these settings, with the bucket of a warehouse. */
    static StoreAddress of(S3Settings settings, String region, String warehouse) {
        URI endpoint = settings.endpoint()
                .orElseGet(
                        () -> URI.create("https://" + S3Client.serviceMetadata().endpointFor(Region.of(region))));
        return new StoreAddress(endpoint, warehouse.substring(SCHEME.length()).split("/", 2)[0], !settings.pathStyle());
    }

    /**
     * The prefix of the keys below a location in the bucket; it ends with a slash.
     *
     * @throws ForbiddenException if the location is not in the bucket
     */
    String prefix(String location) {
        String own = SCHEME + bucket + "/";
        String key = location.startsWith(own) ? location.substring(own.length()).replaceFirst("/+$", "") : "";
        if (key.isEmpty()) {
            throw new ForbiddenException("The table's location %s is not in bucket %s", location, bucket);
        }
        return key + "/";
    }

    /** Address of an object, as S3's clients encode it. */
    URI uri(String key) {
        return URI.create(
                "%s://%s/%s/%s".formatted(endpoint.getScheme(), endpoint.getRawAuthority(), bucket, encoded(key)));
    }

    /**
     * The key of the object at an address.
     *
     * @throws ForbiddenException if it is not one of this bucket, or not encoded as S3's clients do it
     */
    String key(URI uri) {
        if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw new ForbiddenException("The address %s is not one of an object", uri);
        }
        if (!endpoint.getScheme().equals(uri.getScheme()) || port(endpoint) != port(uri)) {
            throw otherStore(uri);
        }
        String path = uri.getRawPath();
        String inBucket;
        if (uri.getHost().equals(endpoint.getHost())) {
            String own = "/" + bucket + "/";
            if (!path.startsWith(own)) {
                throw new ForbiddenException("The address %s is not in bucket %s", uri, bucket);
            }
            inBucket = path.substring(own.length());
        } else if (virtualHosts && uri.getHost().equals(bucket + "." + endpoint.getHost()) && path.startsWith("/")) {
            inBucket = path.substring(1);
        } else {
            throw otherStore(uri);
        }
        String key = decoded(inBucket, uri);
        checkSegments(key, uri);
        return key;
    }

    private ForbiddenException otherStore(URI uri) {
        return new ForbiddenException(
                "The address %s is not one of the store %s with bucket %s", uri, endpoint, bucket);
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return "https".equals(uri.getScheme()) ? HTTPS_PORT : HTTP_PORT;
    }

    private static String decoded(String path, URI uri) {
        String key;
        try {
            key = URLDecoder.decode(path, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new ForbiddenException(e, "The address %s is not encoded as S3's clients do it", uri);
        }
        if (!encoded(key).equals(path)) {
            throw new ForbiddenException("The address %s is not encoded as S3's clients do it", uri);
        }
        return key;
    }

    private static String encoded(String key) {
        return URLEncoder.encode(key, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~")
                .replace("%2F", "/");
    }

    private static void checkSegments(String key, URI uri) {
        boolean plain = Arrays.stream(key.split("/", -1))
                .noneMatch(segment -> segment.isEmpty() || segment.equals(".") || segment.equals(".."));
        if (!plain
                || key.indexOf('\\') >= 0
                || key.codePoints().anyMatch(Character::isISOControl)
                || ENCODED_TWICE.matcher(key).find()) {
            throw new ForbiddenException("The address %s has a segment that a store could take for another path", uri);
        }
    }
}
