package io.cordwood.catalog.server.storage;

import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * Signs requests for S3 with the service's own credentials, by AWS's Signature Version 4 without the payload.
 * Thread-safe.
 *
 * <p>Signed are the method, the address with its query, the host, and all headers given. Other headers a client may
 * add: for instance the range.
 */
final class RequestSigner {
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final AwsCredentialsProvider credentials;
    private final String region;

    RequestSigner(AwsCredentialsProvider credentials, String region) {
        this.credentials = credentials;
        this.region = region;
    }

    /**
     * The headers that make a request a signed one, except that of the host.
     *
     * @param absent names of headers that are signed as absent, so that the store refuses a request that has them
     */
    Map<String, List<String>> headers(String method, URI uri, Map<String, String> headers, Collection<String> absent) {
        AwsCredentialsIdentity identity = credentials.resolveCredentials();
        SdkHttpRequest.Builder request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.fromValue(method))
                .uri(uri)
                .encodedPath(uri.getRawPath());
        headers.forEach(request::putHeader);
        absent.forEach(name -> request.putHeader(name, ""));
        Map<String, List<String>> signed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        signed.putAll(signer.sign(sign -> sign.identity(identity)
                        .request(request.build())
                        .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                        .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false)
                        .putProperty(AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED, false))
                .request()
                .headers());
        signed.remove("Host");
        absent.forEach(signed::remove);
        return signed;
    }
}
