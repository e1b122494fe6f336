package io.cordwood.catalog.server.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Audience;
import io.cordwood.identity.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Bodies share bounded memory, give it back, and do not take for ever. */
class BodyBudgetTest {
    private static final int SMALL = BodyBudget.SMALL_BYTES;
    private static final Caller PERSON = Caller.of(
            User.person("ann", Map.of()),
            new Token(
                    "t",
                    "ann",
                    Audience.REQUESTS,
                    Instant.EPOCH,
                    Instant.MAX,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));

    private final BodyBudget budget = new BodyBudget(2 * SMALL, 1000, 2000, Duration.ofMinutes(1));

    @Test
    void whatPersonsHoldIsBoundedAndGivenBack() {
        try (BodyBudget.Hold body = budget.hold(PERSON)) {
            body.grow(SMALL + 1000);
            assertThatThrownBy(() -> body.grow(1)).isInstanceOf(BusyException.class);
            try (BodyBudget.Hold other = budget.hold(PERSON)) {
                other.grow(SMALL);
                assertThatThrownBy(() -> other.grow(1)).isInstanceOf(BusyException.class);
            }
            try (BodyBudget.Hold ofService = budget.hold(Caller.ANYONE)) {
                ofService.grow(SMALL + 2000);
                assertThatThrownBy(() -> ofService.grow(1)).isInstanceOf(BusyException.class);
            }
        }
        try (BodyBudget.Hold body = budget.hold(PERSON)) {
            body.grow(SMALL);
            body.grow(1000);
        }
    }

    @Test
    void smallBodiesOfOneKindOfSendersLeaveRoomForThoseOfOthers() {
        List<Supplier<BodyBudget.Hold>> kinds =
                List.of(budget::holdCredentials, () -> budget.hold(PERSON), () -> budget.hold(Caller.ANYONE));
        for (Supplier<BodyBudget.Hold> many : kinds) {
            try (BodyBudget.Hold first = many.get();
                    BodyBudget.Hold second = many.get();
                    BodyBudget.Hold third = many.get()) {
                first.grow(SMALL);
                second.grow(SMALL);
                assertThatThrownBy(() -> third.grow(1)).isInstanceOf(BusyException.class);
                for (Supplier<BodyBudget.Hold> other : kinds) {
                    if (other != many) {
                        try (BodyBudget.Hold body = other.get()) {
                            body.grow(SMALL);
                        }
                    }
                }
            }
        }
    }

    @Test
    void aBodyThatDoesNotEndIsRefused() {
        BodyBudget impatient = new BodyBudget(SMALL, 0, 0, Duration.ofNanos(1));
        try (BodyBudget.Hold body = impatient.hold(PERSON)) {
            assertThatThrownBy(() -> body.grow(1)).isInstanceOf(SlowBodyException.class);
        }
        try (BodyBudget.Hold body = impatient.hold(PERSON)) {
            assertThatThrownBy(() -> body.grow(SMALL + 1)).isInstanceOf(BusyException.class);
        }
    }
}
