package io.cordwood.query.io;

/** A location {@code s3://bucket/key}; neither part is percent-encoded. Immutable. */
record S3Location(String bucket, String key) {
    private static final String SCHEME = "s3://";

    /** @throws IllegalArgumentException if the location does not name an object in an S3 store */
    static S3Location of(String location) {
        int slash = location.indexOf('/', SCHEME.length());
        if (!location.startsWith(SCHEME) || slash <= SCHEME.length() || slash == location.length() - 1) {
            throw new IllegalArgumentException("'%s' is not s3://bucket/key".formatted(location));
        }
        return new S3Location(location.substring(SCHEME.length(), slash), location.substring(slash + 1));
    }
}
