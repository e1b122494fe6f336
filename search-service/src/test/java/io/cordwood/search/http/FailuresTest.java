package io.cordwood.search.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailuresTest {
    /** Such messages tell of what all tenants share. */
    @ParameterizedTest
    @EnumSource(names = {"CATALOG_ERROR", "KAFKA_UNAVAILABLE", "KAFKA_ERROR", "STORE_UNAVAILABLE"})
    void servicesThatAreAwayAreNotDescribed(QueryError error) {
        ApiException answer = Failures.of(new QueryException(error, "Cannot read s3://lake/warehouse/file", null));
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer).hasMessageNotContaining("lake").hasMessageContaining("try again");
    }
}
