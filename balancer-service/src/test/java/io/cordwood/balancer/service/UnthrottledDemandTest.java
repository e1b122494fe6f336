package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.balancer.plan.TenantDemand;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class UnthrottledDemandTest {
    private static double demand(double seen, double taken, double before, boolean presses) {
        return UnthrottledDemand.of(
                        List.of(new TenantDemand("acme", seen)),
                        Map.of("acme", taken),
                        Map.of("acme", before),
                        tenant -> presses)
                .getFirst()
                .demand();
    }

    @Test
    void aPressingTenantKeepsItsEarlierDemand() {
        assertThat(demand(95, 95, 1000, true)).isEqualTo(1000);
        assertThat(demand(2000, 2000, 1000, true)).isEqualTo(2000);
    }

    @Test
    void whoDoesNotWantsWhatIsTakenInOfIt() {
        assertThat(demand(70, 70, 1000, false)).isEqualTo(70);
        assertThat(demand(700, 70, 1000, false)).isEqualTo(70);
    }

    @Test
    void whoIsNotHeldWantsWhatItSeemsToSend() {
        List<TenantDemand> seen = List.of(new TenantDemand("acme", 950));

        assertThat(UnthrottledDemand.of(seen, Map.of("acme", 95.0), Map.of(), tenant -> true))
                .isEqualTo(seen);
    }
}
