package io.cordwood.catalog.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.S3Settings;
import java.net.URI;
import java.util.Optional;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Utilities;

class StoreAddressTest {
    private static final StoreAddress LOCAL =
            StoreAddress.of(settings("http://store:9000", true), "us-east-1", "s3://lake/wh");
    private static final StoreAddress AWS = StoreAddress.of(S3Settings.DEFAULTS, "eu-west-1", "s3://lake/wh");

    private static S3Settings settings(String endpoint, boolean pathStyle) {
        return new S3Settings(Optional.of(URI.create(endpoint)), Optional.empty(), pathStyle);
    }

    private static String key(StoreAddress store, String uri) {
        return store.key(URI.create(uri));
    }

    @Test
    void theBucketIsInThePath() {
        assertThat(key(LOCAL, "http://store:9000/lake/wh/acme/logs/a.parquet")).isEqualTo("wh/acme/logs/a.parquet");
        assertThat(LOCAL.uri("wh/a b=ä*~")).isEqualTo(URI.create("http://store:9000/lake/wh/a%20b%3D%C3%A4%2A~"));
        assertThat(LOCAL.key(LOCAL.uri("wh/a b=ä*~+"))).isEqualTo("wh/a b=ä*~+");
    }

    @Test
    void theBucketIsInTheHostNameWhereTheStoreFindsItThere() {
        StoreAddress both = StoreAddress.of(settings("https://store", false), "us-east-1", "s3://lake/wh");
        assertThat(key(both, "https://lake.store:443/wh/x")).isEqualTo("wh/x");
        assertThat(key(both, "https://store/lake/wh/x")).isEqualTo("wh/x");
        assertThatThrownBy(() -> key(LOCAL, "http://lake.store:9000/wh/x"))
                .as("S3Proxy would take wh for the bucket")
                .isInstanceOf(ForbiddenException.class);
    }

    @Test
    void theAddressesOfAwsAreThoseOfItsClient() {
        URI uri = S3Utilities.builder()
                .region(Region.EU_WEST_1)
                .build()
                .parseUri(URI.create("https://lake.s3.eu-west-1.amazonaws.com/wh/x"))
                .uri();
        assertThat(AWS.key(uri)).isEqualTo("wh/x");
        assertThat(key(AWS, "https://s3.eu-west-1.amazonaws.com/lake/wh/x")).isEqualTo("wh/x");
        assertThatThrownBy(() -> key(AWS, "https://lake.s3.us-east-1.amazonaws.com/wh/x"))
                .isInstanceOf(ForbiddenException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://other:9000/lake/wh/x",
                "http://store:9001/lake/wh/x",
                "http://store/lake/wh/x",
                "https://store:9000/lake/wh/x",
                "http://user@store:9000/lake/wh/x",
                "http://store:9000/lake/wh/x#fragment",
                "http://store:9000@other/lake/wh/x",
                "http://store:9000/other/wh/x",
                "http://store:9000/lakes/wh/x",
                "http://store:9000/lake",
                "http://store:9000/lake/",
                "http://store:9000/%6Cake/wh/x",
                "http://store:9000//lake/wh/x",
                "http://store:9000/lake//wh/x",
                "/lake/wh/x",
                "mailto:x",
                "http://a_b/lake/wh/x"
            })
    void otherAddressesAreRefused(String uri) {
        assertThatThrownBy(() -> key(LOCAL, uri)).isInstanceOf(ForbiddenException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/../b",
                "a/./b",
                "a/..",
                "a/%2e%2e/b",
                "a/%2E%2E/b",
                "a/.%2E/b",
                "a%2F..%2Fb",
                "a/%252e%252e/b",
                "a/%25252e/b",
                "a%252fb",
                "a%255Cb",
                "a//b",
                "a/",
                "a%5Cb",
                "a%00b",
                "a%0Ab",
                "a+b",
                "a=b",
                "%61",
                "a%c3%a4",
                "a%C3",
                "a%ED%A0%80"
            })
    void whatAStoreCouldReadInAnotherWayIsRefused(String path) {
        assertThatThrownBy(() -> key(LOCAL, "http://store:9000/lake/wh/" + path))
                .isInstanceOf(ForbiddenException.class);
    }

    @Test
    void aTableIsInTheBucket() {
        assertThat(LOCAL.prefix("s3://lake/wh/acme/logs/")).isEqualTo("wh/acme/logs/");
        assertThatThrownBy(() -> LOCAL.prefix("s3://other/wh/acme")).isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> LOCAL.prefix("s3://lake/")).isInstanceOf(ForbiddenException.class);
    }
}
