package io.cordwood.catalog.io;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The address of an S3 store, and its addressing style. Immutable.
 *
 * <p>Only the catalog service is configured with these properties. It hands them to its clients with its configuration,
 * to ours and to other engines. They do not include credentials: each process finds its own in AWS's standard chain.
 *
 * @param endpoint address of the store; empty for AWS
 * @param region region; empty for that of the environment, the profile or, on AWS, the machine
 * @param pathStyle whether the bucket is in the path instead of the host name
 */
public record S3Settings(Optional<URI> endpoint, Optional<String> region, boolean pathStyle) {
    /** Property of the store's address, as named by Iceberg and PyIceberg. */
    public static final String ENDPOINT = "s3.endpoint";

    /** Property of the region, as named by Iceberg and PyIceberg. */
    public static final String REGION = "client.region";

    /** Property of the path style, as named by Iceberg. */
    public static final String PATH_STYLE = "s3.path-style-access";

    /** AWS, with the settings of the environment. */
    public static final S3Settings DEFAULTS = new S3Settings(Optional.empty(), Optional.empty(), false);

    private static final String SCHEME = "s3://";

    /** Whether the location is an object, or a prefix of objects, in an S3 store. */
    public static boolean isS3(String location) {
        return location.startsWith(SCHEME);
    }

    /**
     * Parses properties.
     *
     * @throws IllegalArgumentException if the endpoint is not an address
     */
    public static S3Settings of(Map<String, String> properties) {
        return new S3Settings(
                Optional.ofNullable(properties.get(ENDPOINT)).map(URI::create),
                Optional.ofNullable(properties.get(REGION)),
                Boolean.parseBoolean(properties.get(PATH_STYLE)));
    }

    /** These settings as properties, without defaults. */
    public Map<String, String> properties() {
        Map<String, String> properties = new HashMap<>();
        endpoint.ifPresent(address -> properties.put(ENDPOINT, address.toString()));
        region.ifPresent(name -> properties.put(REGION, name));
        if (pathStyle) {
            properties.put(PATH_STYLE, "true");
        }
        return properties;
    }
}
