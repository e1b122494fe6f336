package io.cordwood.catalog.io;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Creates the S3 clients of all modules. Stateless, thread-safe.
 *
 * <p>They take credentials from AWS's standard chain. They retry a request, with a growing and random pause, that was
 * throttled, failed in the store, or lost its connection, also while reading the response's body.
 */
public final class S3Clients {
    private static final int ATTEMPTS = 8;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration FIRST_PAUSE_THROTTLED = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);
    /** Longest pause between two packets. */
    private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(20);
    /** Stores that are not AWS mostly ignore it, but it is part of the signature. */
    private static final String ANY_REGION = "us-east-1";

    private S3Clients() {}

    /**
     * Creates a client, which the caller must close. It connects on first use.
     *
     * @param connections concurrent requests; others wait
     */
    public static S3Client create(S3Settings settings, int connections) {
        StoreRequests.ofProcess().register();
        S3ClientBuilder builder = S3Client.builder()
                .forcePathStyle(settings.pathStyle())
                .httpClientBuilder(Apache5HttpClient.builder()
                        .maxConnections(connections)
                        .connectionTimeout(CONNECTION_TIMEOUT)
                        .socketTimeout(SILENCE_TIMEOUT)
                        .tcpKeepAlive(true))
                .overrideConfiguration(
                        override -> override.retryStrategy(retries()).addMetricPublisher(StoreRequests.ofProcess()));
        region(settings).map(Region::of).ifPresent(builder::region);
        settings.endpoint().ifPresent(endpoint -> {
            builder.endpointOverride(endpoint);
            // Many other stores refuse the checksums that recent AWS clients add; the payload is signed all the same.
            builder.requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED);
            builder.responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        });
        return builder.build();
    }

    /**
     * Reads the whole body of a response.
     *
     * @throws RetryableException if it breaks off, so that the client sends the request again
     */
    public static byte[] wholeBody(GetObjectResponse answer, InputStream body) {
        byte[] bytes;
        try {
            bytes = body.readAllBytes();
        } catch (IOException e) {
            // The client takes an exception of any other type for one that a repetition does not cure.
            throw RetryableException.create("the response broke off: " + e.getMessage(), e);
        }
        if (answer.contentLength() != null && bytes.length < answer.contentLength()) {
            throw RetryableException.create(
                    "the response broke off after %d of %d bytes".formatted(bytes.length, answer.contentLength()));
        }
        return bytes;
    }

    /** The region, if it is known without a request; empty if AWS's client must find it out. */
    public static Optional<String> region(S3Settings settings) {
        return settings.region().or(() -> settings.endpoint().map(store -> environmentRegion()));
    }

    /** Does not ask the machine's metadata service, which outside AWS responds after seconds or never. */
    private static String environmentRegion() {
        try {
            return new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
                    .getRegion()
                    .id();
        } catch (SdkClientException e) {
            return ANY_REGION;
        }
    }

    private static RetryStrategy retries() {
        return AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(ATTEMPTS)
                .backoffStrategy(BackoffStrategy.exponentialDelay(FIRST_PAUSE, LONGEST_PAUSE))
                .throttlingBackoffStrategy(BackoffStrategy.exponentialDelay(FIRST_PAUSE_THROTTLED, LONGEST_PAUSE))
                .build();
    }
}
