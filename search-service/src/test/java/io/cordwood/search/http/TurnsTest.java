package io.cordwood.search.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final Duration NO_TIME = Duration.ofMillis(1);
    private static final long BYTES = 100;
    private static final Client PRESENT = new Client(() -> false);

    private final Admission users = new Admission(new Admission.Bounds(10, 2, BYTES), 10, NO_TIME);
    private final Admission tenants = new Admission(new Admission.Bounds(10, 1, BYTES), 10, NO_TIME);
    private final Turns turns = new Turns(users, tenants);

    @Test
    void aUserIsBoundedOverAllTenants() throws Exception {
        Turns.Turn first = turns.enter("ann", "acme", 1, PRESENT);
        try (Turns.Turn _ = turns.enter("ann", "globex", 1, PRESENT)) {
            assertThatThrownBy(() -> turns.enter("ann", "initech", 1, PRESENT))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("'ann'");
            turns.enter("bob", "initech", 1, PRESENT).close();
        }
        first.close();
        assertThat(users.running()).isZero();
        assertThat(tenants.running()).isZero();
    }

    @Test
    void aQuestionThatGetsNoTurnOfTheTenantKeepsNoneOfTheUser() throws Exception {
        try (Turns.Turn _ = turns.enter("ann", "acme", 1, PRESENT)) {
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> turns.enter("bob", "acme", 1, PRESENT))
                        .isInstanceOf(ApiException.class)
                        .hasMessageContaining("'acme'");
            }
        }
        assertThat(users.running()).isZero();
        turns.enter("bob", "acme", 1, PRESENT).close();
    }
}
