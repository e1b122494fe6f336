package io.cordwood.gateway.splunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HecStatusTest {
    @ParameterizedTest
    @CsvSource({
        "MALFORMED, 400, 6",
        "UNAUTHENTICATED, 401, 2",
        "FORBIDDEN, 403, 4",
        "TOO_LARGE, 413, 27",
        "OVER_QUOTA, 503, 9",
        "TOO_BUSY, 503, 9",
        "UNAVAILABLE, 503, 9",
        "FAILED, 500, 8",
    })
    void refusalsHaveSplunksCodes(Reason reason, int http, int code) {
        HecStatus status = HecStatus.of(new RefusedException(reason, "why"));
        assertThat(status.http()).isEqualTo(http);
        assertThat(status.code()).isEqualTo(code);
    }
}
