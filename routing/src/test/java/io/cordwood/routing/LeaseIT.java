package io.cordwood.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.RedisClient;

/** One process at a time holds a lease of a real Redis, and later holders have greater numbers. */
@Timeout(60)
class LeaseIT {
    private Service redis;
    private RedisClient client;

    @BeforeEach
    void start() throws Exception {
        redis = TestServices.redis();
        client = RedisClient.create(URI.create(redis.url()));
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        redis.close();
    }

    private Lease lease(String name, Duration duration) {
        return new Lease(client, "lease", "fence", name, duration);
    }

    @Test
    void oneHoldsItAndReleasesIt() {
        Lease first = lease("first", Duration.ofMinutes(1));
        Lease second = lease("second", Duration.ofMinutes(1));
        assertThat(first.fence()).isZero();
        assertThat(first.take()).isTrue();
        assertThat(second.take()).isFalse();
        assertThat(second.remaining()).isZero();
        assertThat(first.take()).as("renewed").isTrue();
        assertThat(first.holder()).isEqualTo("first#1");
        assertThat(first.fence()).isEqualTo(1);
        assertThat(first.remaining()).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(1));
        first.release();
        assertThat(first.isHeld()).isFalse();
        assertThat(second.take()).isTrue();
        assertThat(second.fence()).isEqualTo(2);
    }

    @Test
    void itExpiresWithoutRenewalAlsoForItsHolder() throws Exception {
        Lease first = lease("first", Duration.ofMillis(300));
        Lease second = lease("second", Duration.ofMinutes(1));
        assertThat(first.take()).isTrue();
        Waiting.until("the second has it", second::take);
        assertThat(first.remaining()).as("it knows by its own clock").isZero();
        assertThat(first.take()).isFalse();
    }

    @Test
    void aRaisedFenceStaysBelowLaterHolders() {
        Lease lease = lease("first", Duration.ofMinutes(1));
        lease.raiseFence(41);
        lease.raiseFence(7);
        assertThat(lease.take()).isTrue();
        assertThat(lease.fence()).isEqualTo(42);
    }
}
