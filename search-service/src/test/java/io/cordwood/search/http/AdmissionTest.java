package io.cordwood.search.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.query.search.GivenUpException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AdmissionTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final long BYTES = 100;
    private static final Client PRESENT = new Client(() -> false);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static void awaitWaiting(Admission admission, int count) {
        while (admission.waiting() < count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void noMoreThanTheBoundsRunAtOnce() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(3, 2, BYTES), 10, LONG);
        Admission.Running first = admission.enter("acme", 1, PRESENT);
        Admission.Running second = admission.enter("acme", 1, PRESENT);
        Future<Admission.Running> third = threads.submit(() -> admission.enter("acme", 1, PRESENT));
        awaitWaiting(admission, 1);
        // Another tenant still has room
        Admission.Running other = admission.enter("globex", 1, PRESENT);
        assertThat(admission.running()).isEqualTo(3);
        other.close();
        assertThat(admission.waiting()).isEqualTo(1);
        first.close();
        third.get().close();
        second.close();
        assertThat(admission.running()).isZero();
        assertThat(admission.waiting()).isZero();
    }

    @Test
    void tenantsTakeTurns() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(1, 1, BYTES), 100, LONG);
        Admission.Running running = admission.enter("small", 1, PRESENT);
        LinkedBlockingQueue<String> order = new LinkedBlockingQueue<>();
        List<Future<?>> asked = new ArrayList<>();
        for (int i = 1; i <= 50; i++) {
            asked.add(ask(admission, "large", order));
            awaitWaiting(admission, i);
        }
        asked.add(ask(admission, "small", order));
        awaitWaiting(admission, 51);
        running.close();
        for (Future<?> question : asked) {
            question.get();
        }
        assertThat(new ArrayList<>(order).indexOf("small")).isLessThanOrEqualTo(1);
        assertThat(order).hasSize(51);
    }

    private Future<?> ask(Admission admission, String tenant, LinkedBlockingQueue<String> order) {
        return threads.submit(() -> {
            try (Admission.Running _ = admission.enter(tenant, 1, PRESENT)) {
                order.add(tenant);
            }
            return tenant;
        });
    }

    @Test
    void whoWaitsTooLongIsRefusedAndLeavesNoTrace() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(1, 1, BYTES), 10, Duration.ofMillis(1));
        try (Admission.Running _ = admission.enter("acme", 1, PRESENT)) {
            assertThatThrownBy(() -> admission.enter("acme", 1, PRESENT))
                    .isInstanceOf(ApiException.class)
                    .hasMessage("Too many questions at once for 'acme': try again later");
        }
        assertThat(admission.waiting()).isZero();
        admission.enter("acme", 1, PRESENT).close();
        assertThat(admission.running()).isZero();
    }

    @Test
    void tooManyThatWaitAreRefusedAtOnce() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(1, 1, BYTES), 1, LONG);
        Admission.Running running = admission.enter("acme", 1, PRESENT);
        Future<Admission.Running> waiting = threads.submit(() -> admission.enter("acme", 1, PRESENT));
        awaitWaiting(admission, 1);
        assertThatThrownBy(() -> admission.enter("acme", 1, PRESENT))
                .isInstanceOf(ApiException.class)
                .extracting(e -> ((ApiException) e).status())
                .isEqualTo(429);
        running.close();
        waiting.get().close();
    }

    @Test
    void whoLeavesWhileItWaitsLeavesTheQueue() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(1, 1, BYTES), 10, LONG);
        try (Admission.Running _ = admission.enter("acme", 1, PRESENT)) {
            assertThatThrownBy(() -> admission.enter("acme", 1, new Client(() -> true)))
                    .isInstanceOf(GivenUpException.class);
        }
        assertThat(admission.waiting()).isZero();
        assertThat(admission.running()).isZero();
    }

    @Test
    void memoryIsBoundedOverAllTenantsAndSmallQuestionsPassLargeOnes() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(10, 10, BYTES), 10, LONG);
        Admission.Running first = admission.enter("acme", 40, PRESENT);
        Admission.Running second = admission.enter("acme", 40, PRESENT);
        Future<Admission.Running> large = threads.submit(() -> admission.enter("globex", 40, PRESENT));
        awaitWaiting(admission, 1);
        admission.enter("initech", 10, PRESENT).close();
        assertThat(admission.bytes()).isEqualTo(80);
        assertThat(large.isDone()).isFalse();
        first.close();
        large.get().close();
        second.close();
        assertThat(admission.bytes()).isZero();
    }

    @Test
    @Timeout(30)
    void aQuestionThatWaitsForMemoryIsNotPassedForLong() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(10, 10, BYTES), 10, LONG);
        Admission.Running first = admission.enter("acme", 40, PRESENT);
        Admission.Running second = admission.enter("acme", 40, PRESENT);
        Future<Admission.Running> large = threads.submit(() -> admission.enter("globex", 40, PRESENT));
        awaitWaiting(admission, 1);
        Future<Admission.Running> small = threads.submit(() -> admission.enter("initech", 10, PRESENT));
        while (isAdmitted(small)) {
            small = threads.submit(() -> admission.enter("initech", 10, PRESENT));
        }
        assertThat(large.isDone()).isFalse();
        first.close();
        large.get().close();
        small.get().close();
        second.close();
        assertThat(admission.bytes()).isZero();
    }

    private static boolean isAdmitted(Future<Admission.Running> question) throws Exception {
        try {
            question.get(200, TimeUnit.MILLISECONDS).close();
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    @Test
    @Timeout(30)
    void aTenantThatTakesAllItMayKeepsNobodyElseWaiting() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(10, 10, BYTES), 10, LONG);
        Admission.Running first = admission.enter("acme", BYTES, PRESENT);
        Admission.Running second = admission.enter("acme", BYTES, PRESENT);
        Future<Admission.Running> third = threads.submit(() -> admission.enter("acme", 10, PRESENT));
        awaitWaiting(admission, 1);
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < Duration.ofSeconds(3).toNanos()) {
            assertThat(isAdmitted(threads.submit(() -> admission.enter("globex", 10, PRESENT))))
                    .isTrue();
        }
        assertThat(third.isDone()).isFalse();
        first.close();
        third.get().close();
        second.close();
        assertThat(admission.bytes()).isZero();
    }

    @Test
    void twoQuestionsThatMayNeedMoreThanThereIsRunAtOnce() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(10, 10, BYTES), 10, Duration.ofMillis(1));
        try (Admission.Running _ = admission.enter("acme", 10 * BYTES, PRESENT);
                Admission.Running _ = admission.enter("initech", 10 * BYTES, PRESENT)) {
            assertThat(admission.bytes()).isLessThan(BYTES);
            assertThatThrownBy(() -> admission.enter("globex", 20, PRESENT))
                    .isInstanceOf(ApiException.class)
                    .extracting(e -> ((ApiException) e).status())
                    .isEqualTo(429);
        }
    }
}
