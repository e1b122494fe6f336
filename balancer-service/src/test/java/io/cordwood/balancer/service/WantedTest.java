package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.balancer.plan.TenantDemand;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WantedTest {
    private static double wanted(double seen, double before, double quota) {
        return Wanted.of(
                        List.of(new TenantDemand("acme", seen)),
                        Map.of("acme", before),
                        Map.of("acme", quota),
                        tenant -> true)
                .getFirst()
                .demand();
    }

    @Test
    void whoSendsItsQuotaWantsWhatItWantedBefore() {
        assertThat(wanted(95, 1000, 100)).isEqualTo(1000);
        assertThat(wanted(2000, 1000, 100)).isEqualTo(2000);
    }

    @Test
    void whoSendsLessWantsNoMore() {
        assertThat(wanted(70, 1000, 100)).isEqualTo(70);
    }

    @Test
    void whatWasSentLongAgoSaysNothing() {
        assertThat(Wanted.of(
                        List.of(new TenantDemand("acme", 5), new TenantDemand("other", 5)),
                        Map.of("acme", 1000.0),
                        Map.of("acme", 100.0),
                        tenant -> false))
                .containsExactly(new TenantDemand("acme", 1000), new TenantDemand("other", 5));
    }

    @Test
    void quotasOfOthersSayNothing() {
        List<TenantDemand> seen = List.of(new TenantDemand("acme", 95));

        assertThat(Wanted.of(seen, Map.of(), Map.of("acme", 100.0), tenant -> true))
                .isEqualTo(seen);
    }
}
