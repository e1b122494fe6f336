package io.cordwood.gateway.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.tenant.Quota;
import io.cordwood.gateway.refusal.RefusedException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuotasTest {
    private static final Quota ROWS = Quota.NONE.withRowsPerSecond(OptionalLong.of(100));
    private static final Quota BOTH = ROWS.withBytesPerSecond(OptionalLong.of(1_000));

    /** Such a clock may pass the largest number. */
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000);

    private final Quotas quotas = new Quotas(clock::get);

    private void pass(long millis) {
        clock.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    private void assertWaits(Quota quota, String limit, long millis) {
        assertThatThrownBy(() -> quotas.requireSome("acme", quota))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.retryAfter()).hasValue(Duration.ofMillis(millis)))
                .hasMessageContaining("its quota of %s per second: send again later", limit);
    }

    @Test
    void aTenantWithoutQuotaNeverWaits() {
        quotas.spend("acme", Quota.NONE, Long.MAX_VALUE, Long.MAX_VALUE);
        quotas.requireSome("acme", Quota.NONE);
    }

    /** Silence does not shorten the wait, however long it is. */
    @ParameterizedTest
    @CsvSource({"350, 2500, 2400", "360100, 3600000, 3599000"})
    void rowsThatAreTooManyMakeTheNextRequestWait(long rows, long wait, long silence) {
        quotas.requireSome("acme", ROWS);
        quotas.spend("acme", ROWS, 1_000_000, rows);
        assertWaits(ROWS, "100 rows", wait);
        pass(silence);
        assertWaits(ROWS, "100 rows", wait - silence);
        pass(wait - silence);
        quotas.requireSome("acme", ROWS);
    }

    @Test
    void eachLimitHolds() {
        quotas.spend("acme", BOTH, 3_000, 100);
        assertWaits(BOTH, "1,000 bytes", 2_000);
        pass(2_000);
        quotas.requireSome("acme", BOTH);
        quotas.spend("acme", BOTH, 0, 200);
        assertWaits(BOTH, "100 rows", 1_000);
    }

    @Test
    void theLongestWaitIsSaid() {
        quotas.spend("acme", BOTH, 2_000, 6_100);
        assertWaits(BOTH, "100 rows", 60_000);
        quotas.spend("acme", BOTH, 119_000, 0);
        assertWaits(BOTH, "1,000 bytes", 120_000);
    }

    @Test
    void aSecondIsSavedUpAtMost() {
        quotas.requireSome("acme", ROWS);
        pass(3_600_000);
        quotas.spend("acme", ROWS, 1, 150);
        assertWaits(ROWS, "100 rows", 500);
    }

    @Test
    void tenantsHaveTheirOwn() {
        quotas.spend("globex", ROWS, 1, 1_000);
        quotas.requireSome("acme", ROWS);
    }

    @Test
    void aLimitThatIsSetOrChangedHoldsAtOnce() {
        quotas.spend("acme", BOTH, 2_000, 1);
        assertWaits(BOTH, "1,000 bytes", 1_000);
        quotas.requireSome("acme", ROWS);
        quotas.spend("acme", ROWS, 2_000, 300);
        assertWaits(ROWS, "100 rows", 2_010);
        assertWaits(Quota.NONE.withRowsPerSecond(OptionalLong.of(402)), "402 rows", 500);
    }
}
