package io.cordwood.catalog.io;

import java.util.Map;
import org.apache.iceberg.aws.s3.S3FileIOAwsClientFactory;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Supplies our S3 clients to Iceberg's file access; Iceberg's own factory also requires the clients of Glue, KMS and
 * DynamoDB. Iceberg creates it by name. Not thread-safe.
 */
public final class S3ClientFactory implements S3FileIOAwsClientFactory {
    private static final long serialVersionUID = 1;
    /** Concurrent reads and writes of objects in one process; fast reads use clients of their own. */
    private static final int CONNECTIONS = 64;

    private Map<String, String> properties = Map.of();

    @Override
    public void initialize(Map<String, String> newProperties) {
        properties = Map.copyOf(newProperties);
    }

    @Override
    public S3Client s3() {
        return S3Clients.create(S3Settings.of(properties), CONNECTIONS);
    }

    /** @throws UnsupportedOperationException always; only called if asynchronous reading is switched on */
    @Override
    public S3AsyncClient s3Async() {
        throw new UnsupportedOperationException("Reading S3 asynchronously is not supported: leave s3.crt.enabled and"
                + " s3.analytics-accelerator.enabled out");
    }
}
