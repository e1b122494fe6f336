package io.cordwood.catalog.io;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where an S3 store is and how it is spoken to. Immutable.
 *
 * <p>As properties these are told to the catalog service alone: it hands them to its clients with its configuration,
 * ours and other engines'. Credentials are not among them: each process finds its own in AWS's standard chain.
 *
 * @param endpoint address of the store; empty for AWS
 * @param region region; empty for what the environment, the profile or, on AWS, the machine says
 * @param pathStyle whether the bucket stands in the path instead of the host name
 */
public record S3Settings(Optional<URI> endpoint, Optional<String> region, boolean pathStyle) {
    /** Property with the address of the store, as Iceberg and PyIceberg name it. */
    public static final String ENDPOINT = "s3.endpoint";

    /** Property with the region, as Iceberg and PyIceberg name it. */
    public static final String REGION = "client.region";

    /** Property that says whether the bucket stands in the path, as Iceberg names it. */
    public static final String PATH_STYLE = "s3.path-style-access";

    /** AWS, as the environment says. */
    public static final S3Settings DEFAULTS = new S3Settings(Optional.empty(), Optional.empty(), false);

    private static final String SCHEME = "s3://";

    /** Whether the location is an object, or a prefix of objects, in an S3 store. */
    public static boolean isS3(String location) {
        return location.startsWith(SCHEME);
    }

    /**
     * What properties say.
     *
     * @throws IllegalArgumentException if the endpoint is no address
     */
    public static S3Settings of(Map<String, String> properties) {
        return new S3Settings(
                Optional.ofNullable(properties.get(ENDPOINT)).map(URI::create),
                Optional.ofNullable(properties.get(REGION)),
                Boolean.parseBoolean(properties.get(PATH_STYLE)));
    }

    /** These settings as properties; what is left to its default is not among them. */
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
