package io.cordwood.gateway.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InFlightTest {
    private final InFlight inFlight = new InFlight(100, 60);

    private static void assertRefused(InFlight.Hold hold, long more, Reason reason) {
        long before = hold.bytes();
        assertThatThrownBy(() -> hold.grow(more))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
        assertThat(hold.bytes()).isEqualTo(before);
    }

    @Test
    void whatIsRefusedIsNotHeld() {
        try (InFlight.Hold acme = inFlight.hold("acme");
                InFlight.Hold second = inFlight.hold("acme");
                InFlight.Hold globex = inFlight.hold("globex")) {
            acme.grow(50);
            assertRefused(second, 11, Reason.TOO_BUSY);
            second.grow(10);
            assertRefused(globex, 41, Reason.TOO_BUSY);
            globex.grow(40);
            assertThat(inFlight.bytes()).isEqualTo(100);
            second.shrink(10);
            globex.grow(10);
        }
        assertThat(inFlight.bytes()).isZero();
    }

    /** It never fits, so the client must not send it again. */
    @Test
    void aRequestThatNeverFitsIsTooLarge() {
        try (InFlight.Hold hold = inFlight.hold("acme")) {
            hold.grow(60);
            assertRefused(hold, 1, Reason.TOO_LARGE);
        }
        try (InFlight.Hold hold = new InFlight(40, 60).hold("acme")) {
            assertRefused(hold, 41, Reason.TOO_LARGE);
        }
    }

    @Test
    void memoryIsCountedInSteps() {
        List<Long> held = new ArrayList<>();
        Memory memory = new Memory(held::add);
        for (int i = 0; i < 70; i++) {
            memory.grow(1 << 10);
        }
        memory.grow(1 << 20);
        memory.grow(1);
        memory.settle();
        memory.shrink(1 << 20);
        memory.settle();
        assertThat(held).containsExactly(64L << 10, (6L << 10) + (1 << 20), 1L, -1L << 20);
    }
}
