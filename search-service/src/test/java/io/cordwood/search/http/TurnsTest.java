package io.cordwood.search.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final Duration NO_TIME = Duration.ofMillis(1);
    private static final Client PRESENT = new Client(() -> false);

    private final Admission users = new Admission(10, 2, 10, NO_TIME);
    private final Admission tenants = new Admission(10, 1, 10, NO_TIME);
    private final Turns turns = new Turns(users, tenants);

    @Test
    void aUserIsBoundedOverAllTenants() throws Exception {
        Turns.Turn first = turns.enter("ann", "acme", PRESENT);
        try (Turns.Turn _ = turns.enter("ann", "globex", PRESENT)) {
            assertThatThrownBy(() -> turns.enter("ann", "initech", PRESENT))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("'ann'");
            turns.enter("bob", "initech", PRESENT).close();
        }
        first.close();
        assertThat(users.running()).isZero();
        assertThat(tenants.running()).isZero();
    }

    @Test
    void aQuestionThatGetsNoTurnOfTheTenantKeepsNoneOfTheUser() throws Exception {
        try (Turns.Turn _ = turns.enter("ann", "acme", PRESENT)) {
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> turns.enter("bob", "acme", PRESENT))
                        .isInstanceOf(ApiException.class)
                        .hasMessageContaining("'acme'");
            }
        }
        assertThat(users.running()).isZero();
        turns.enter("bob", "acme", PRESENT).close();
    }
}
