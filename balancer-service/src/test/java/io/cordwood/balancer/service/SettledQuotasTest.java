package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettledQuotasTest {
    private final SettledQuotas quotas = new SettledQuotas(1000);

    @Test
    void aQuotaIsSettledWhenItWasNotRaisedForAWhile() {
        quotas.observe(Map.of("acme", 100.0), 5000);
        assertThat(quotas.isSettled("acme", 5999)).isFalse();
        quotas.observe(Map.of("acme", 90.0), 6000);
        assertThat(quotas.isSettled("acme", 6000)).isTrue();
        quotas.observe(Map.of("acme", 91.0), 7000);
        assertThat(quotas.isSettled("acme", 7999)).isFalse();
        assertThat(quotas.isSettled("acme", 8000)).isTrue();
    }

    @Test
    void aQuotaThatWasTakenAwayBeginsAnew() {
        quotas.observe(Map.of("acme", 100.0), 5000);
        quotas.observe(Map.of(), 6000);
        quotas.observe(Map.of("acme", 100.0), 7000);
        assertThat(quotas.isSettled("acme", 7500)).isFalse();
        assertThat(quotas.isSettled("other", 9000)).isFalse();
    }
}
