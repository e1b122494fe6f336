package io.cordwood.catalog.testing;

import java.util.Map;
import org.apache.iceberg.aws.AwsClientProperties;
import org.apache.iceberg.aws.s3.S3FileIOAwsClientFactory;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * S3 clients as Iceberg's own factory makes them, by the same settings; that one also needs the clients of Glue and
 * DynamoDB. Iceberg creates it by name. Not thread-safe.
 */
public final class PlainS3Clients implements S3FileIOAwsClientFactory {
    private static final long serialVersionUID = 1;

    private Map<String, String> properties = Map.of();

    @Override
    public void initialize(Map<String, String> newProperties) {
        properties = Map.copyOf(newProperties);
    }

    @Override
    public S3Client s3() {
        S3FileIOProperties s3 = new S3FileIOProperties(properties);
        AwsClientProperties client = new AwsClientProperties(properties);
        return S3Client.builder()
                .applyMutation(client::applyClientRegionConfiguration)
                .httpClientBuilder(Apache5HttpClient.builder())
                .applyMutation(s3::applyEndpointConfigurations)
                .applyMutation(s3::applyServiceConfigurations)
                .applyMutation(builder -> s3.applyCredentialConfigurations(client, builder))
                .applyMutation(s3::applySignerConfiguration)
                .applyMutation(s3::applyRetryConfigurations)
                .build();
    }

    @Override
    public S3AsyncClient s3Async() {
        throw new UnsupportedOperationException("not used");
    }
}
