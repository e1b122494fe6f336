package io.cordwood.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Bodies share bounded memory, give it back, and do not take for ever. */
class BodyBudgetTest {
    private static final int SMALL = BodyBudget.SMALL_BYTES;

    private final BodyBudget budget = new BodyBudget(2 * SMALL, 1000, 2000, Duration.ofMinutes(1));

    @Test
    void whatPersonsHoldIsBoundedAndGivenBack() {
        try (BodyBudget.Hold body = budget.hold(Sender.PERSON)) {
            body.grow(SMALL + 1000);
            assertThatThrownBy(() -> body.grow(1)).isInstanceOf(BusyException.class);
            try (BodyBudget.Hold other = budget.hold(Sender.PERSON)) {
                other.grow(SMALL);
                assertThatThrownBy(() -> other.grow(1)).isInstanceOf(BusyException.class);
            }
            try (BodyBudget.Hold ofService = budget.hold(Sender.SERVICE)) {
                ofService.grow(SMALL + 2000);
                assertThatThrownBy(() -> ofService.grow(1)).isInstanceOf(BusyException.class);
            }
        }
        try (BodyBudget.Hold body = budget.hold(Sender.PERSON)) {
            body.grow(SMALL);
            body.grow(1000);
        }
    }

    @Test
    void smallBodiesOfOneKindOfSendersLeaveRoomForThoseOfOthers() {
        for (Sender many : Sender.values()) {
            try (BodyBudget.Hold first = budget.hold(many);
                    BodyBudget.Hold second = budget.hold(many);
                    BodyBudget.Hold third = budget.hold(many)) {
                first.grow(SMALL);
                second.grow(SMALL);
                assertThatThrownBy(() -> third.grow(1)).isInstanceOf(BusyException.class);
                for (Sender other : Sender.values()) {
                    if (other != many) {
                        try (BodyBudget.Hold body = budget.hold(other)) {
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
        try (BodyBudget.Hold body = impatient.hold(Sender.PERSON)) {
            assertThatThrownBy(() -> body.grow(1)).isInstanceOf(SlowBodyException.class);
        }
        try (BodyBudget.Hold body = impatient.hold(Sender.PERSON)) {
            assertThatThrownBy(() -> body.grow(SMALL + 1)).isInstanceOf(BusyException.class);
        }
    }
}
