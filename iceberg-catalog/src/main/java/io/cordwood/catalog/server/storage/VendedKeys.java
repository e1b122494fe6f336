package io.cordwood.catalog.server.storage;

import io.cordwood.catalog.server.store.Remembered;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.model.AssumeRoleRequest;
import software.amazon.awssdk.services.sts.model.Credentials;

/**
 * Keys that read the objects of one table for an hour, from the store's security token service. Thread-safe.
 *
 * <p>All readers of a table share them, until some minutes before their end.
 */
final class VendedKeys implements AutoCloseable {
    static final Duration SESSION = Duration.ofHours(1);
    /** What a client may count on to be left. */
    private static final Duration LEAST = Duration.ofMinutes(10);

    private static final String SESSION_NAME = "cordwood";
    private static final int REMEMBERED = 4096;

    private final StsClient sts;
    private final String roleArn;
    private final InstantSource clock;
    private final Remembered<String, Credentials> sessions = new Remembered<>(REMEMBERED);

    VendedKeys(
            AwsCredentialsProvider credentials,
            String region,
            String roleArn,
            Optional<URI> endpoint,
            InstantSource clock) {
        StsClientBuilder builder = StsClient.builder()
                .credentialsProvider(credentials)
                .region(Region.of(region))
                .httpClientBuilder(Apache5HttpClient.builder());
        endpoint.ifPresent(builder::endpointOverride);
        this.sts = builder.build();
        this.roleArn = roleArn;
        this.clock = clock;
    }

    /** Keys for the objects with this prefix. */
    Credentials reading(String bucket, String prefix) {
        return sessions.get(prefix)
                .filter(known -> clock.instant().plus(LEAST).isBefore(known.expiration()))
                .orElseGet(() -> {
                    Credentials vended =
                            sts.assumeRole(request(roleArn, bucket, prefix)).credentials();
                    sessions.put(prefix, vended);
                    return vended;
                });
    }

    static AssumeRoleRequest request(String roleArn, String bucket, String prefix) {
        return AssumeRoleRequest.builder()
                .roleArn(roleArn)
                .roleSessionName(SESSION_NAME)
                .durationSeconds(Math.toIntExact(SESSION.toSeconds()))
                .policy(SessionPolicy.reading(roleArn, bucket, prefix))
                .build();
    }

    @Override
    public void close() {
        sts.close();
    }
}
