package io.cordwood.services;

import java.util.Map;

/** The account and the bucket of the {@linkplain TestServices#objectStore S3 store}. Stateless. */
public final class S3Account {
    public static final String BUCKET = "cordwood";
    public static final String ACCESS_KEY = "cordwood-tests";
    public static final String SECRET_KEY = "not-a-secret";

    private S3Account() {}

    /** System properties that AWS's standard chain reads. */
    public static Map<String, String> environment() {
        return Map.of("AWS_ACCESS_KEY_ID", ACCESS_KEY, "AWS_SECRET_ACCESS_KEY", SECRET_KEY);
    }

    /** Lets AWS's standard chain find the account in this process, from now on. */
    public static void useHere() {
        System.setProperty("aws.accessKeyId", ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", SECRET_KEY);
    }
}
