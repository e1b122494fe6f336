package io.cordwood.gateway.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WindowsTest {
    private static final int BYTES = 100;
    private static final Duration LONG = Duration.ofMinutes(1);

    private static CompletableFuture<Windows.Place> entering(Windows windows, String tenant, long size) {
        CompletableFuture<Windows.Place> place = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                place.complete(windows.enter(tenant, size));
            } catch (InterruptedException | RuntimeException e) {
                place.completeExceptionally(e);
            }
        });
        return place;
    }

    private static boolean waits(CompletableFuture<?> future) throws InterruptedException {
        Thread.sleep(50);
        return !future.isDone();
    }

    @Test
    void whatIsBeyondTheWindowWaitsForWhatIsInIt() throws Exception {
        Windows windows = new Windows(BYTES, LONG);
        Windows.Place first = windows.enter("acme", 60);
        Windows.Place second = windows.enter("acme", 40);
        CompletableFuture<Windows.Place> third = entering(windows, "acme", 50);
        assertThat(waits(third)).isTrue();
        second.close();
        assertThat(waits(third)).isTrue();
        first.close();
        third.get(10, TimeUnit.SECONDS).close();
    }

    @Test
    void otherTenantsDoNotWait() throws Exception {
        Windows windows = new Windows(BYTES, LONG);
        try (Windows.Place _ = windows.enter("acme", 100);
                Windows.Place globex = windows.enter("globex", 100)) {
            assertThat(globex).isNotNull();
        }
    }

    @Test
    void aLargerRequestHasTheWindowForItself() throws Exception {
        Windows windows = new Windows(BYTES, LONG);
        Windows.Place small = windows.enter("acme", 1);
        CompletableFuture<Windows.Place> large = entering(windows, "acme", 1L << 40);
        assertThat(waits(large)).isTrue();
        small.close();
        Windows.Place entered = large.get(10, TimeUnit.SECONDS);
        CompletableFuture<Windows.Place> next = entering(windows, "acme", 1);
        assertThat(waits(next)).isTrue();
        entered.close();
        next.get(10, TimeUnit.SECONDS).close();
    }

    @Test
    void whoWaitsTooLongIsRefusedAndHoldsNothing() throws Exception {
        Windows windows = new Windows(BYTES, Duration.ofMillis(1));
        try (Windows.Place _ = windows.enter("acme", 60)) {
            assertThatThrownBy(() -> windows.enter("acme", 60))
                    .isInstanceOfSatisfying(
                            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_BUSY));
            windows.enter("acme", 40).close();
        }
        assertThat(windows.tenants()).isZero();
    }
}
