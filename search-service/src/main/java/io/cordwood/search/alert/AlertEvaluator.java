package io.cordwood.search.alert;

import io.cordwood.query.error.QueryException;
import io.cordwood.routing.Lease;
import io.cordwood.search.api.TableAccess;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Evaluates the alert rules of the registry, if this service is the one of all search services that does, and sends
 * alerts to Alertmanagers. Thread-safe.
 */
public final class AlertEvaluator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AlertEvaluator.class);
    private static final String LEASE = "cordwood:alerts:lease";
    private static final String FENCE = "cordwood:alerts:fence";
    private static final int RENEWALS_IN_A_LEASE = 3;
    private static final int WORKERS = 4;
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(2);
    /** Alertmanager ends an alert that it does not get in this many times. */
    private static final int RESENDS = 4;

    private final RedisClient redis;
    private final Lease lease;
    private final HttpClient http;
    private final List<Outbox> outboxes;
    private final AlertRounds rounds;
    private final InstantSource clock = InstantSource.system();
    private final ExecutorService workers = Executors.newFixedThreadPool(
            WORKERS, Thread.ofPlatform().name("alert-evaluation-", 0).daemon().factory());

    private final ScheduledExecutorService threads;
    private final List<Future<?>> tasks = new ArrayList<>();
    /** Of the thread of rounds alone: whether the last round failed, and when the next one begins at the earliest. */
    private boolean hasFailed;

    private long pauseUntil = System.nanoTime();

    private AlertEvaluator(AlertSettings settings, URI redisUri, TableAccess access, AlertMetrics metrics) {
        redis = RedisClient.create(redisUri);
        lease = new Lease(redis, LEASE, FENCE, UUID.randomUUID().toString(), settings.lease());
        http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        AlertMessages messages = new AlertMessages(settings.page(), validity(settings), settings.delay());
        outboxes = settings.alertmanagers().stream()
                .map(uri -> new Outbox(uri, http, messages, settings.resend(), metrics))
                .toList();
        rounds = new AlertRounds(
                new CatalogAlerts(access.catalog()),
                new RuleQuestion(access, settings.delay())::evaluate,
                new Leader(),
                outboxes,
                metrics,
                workers,
                settings.reload(),
                clock);
        // One for the lease, one for rounds, and one for each Alertmanager: none waits for another
        threads = Executors.newScheduledThreadPool(
                2 + outboxes.size(),
                Thread.ofPlatform().name("alert-", 0).daemon().factory());
    }

    /** Longer than another service takes to go on after this one has died. */
    private static Duration validity(AlertSettings settings) {
        Duration longer = settings.resend().compareTo(settings.lease()) > 0 ? settings.resend() : settings.lease();
        return longer.multipliedBy(RESENDS);
    }

    /**
     * Begins to compete for the lease.
     *
     * @param access opens tenants' tables
     */
    public static AlertEvaluator start(AlertSettings settings, URI redis, TableAccess access, AlertMetrics metrics) {
        AlertEvaluator evaluator = new AlertEvaluator(settings, redis, access, metrics);
        evaluator.repeat(evaluator::renew, settings.lease().dividedBy(RENEWALS_IN_A_LEASE));
        evaluator.repeat(evaluator::round, PAUSE);
        evaluator.outboxes.forEach(outbox -> evaluator.repeat(() -> evaluator.send(outbox), PAUSE));
        return evaluator;
    }

    private void repeat(Runnable task, Duration pause) {
        tasks.add(threads.scheduleWithFixedDelay(task, 0, pause.toMillis(), TimeUnit.MILLISECONDS));
    }

    private final class Leader implements Leadership {
        @Override
        public Duration remaining() {
            return lease.remaining();
        }

        @Override
        public long fence() {
            return lease.fence();
        }

        @Override
        public void giveUp(long greatest) {
            lease.raiseFence(greatest);
            lease.release();
        }
    }

    private void renew() {
        boolean before = lease.isHeld();
        try {
            lease.take();
        } catch (RuntimeException e) {
            if (before) {
                LOG.warn("Cannot renew the lease; alert rules are not evaluated until Redis answers", e);
            }
        }
    }

    private void round() {
        if (System.nanoTime() - pauseUntil < 0) {
            return;
        }
        try {
            rounds.round();
            hasFailed = false;
        } catch (QueryException e) {
            if (hasFailed) {
                LOG.warn("Cannot evaluate alert rules; the next round tries again: {}", e.getMessage());
            } else {
                LOG.warn("Cannot evaluate alert rules; the next round tries again", e);
            }
            pause();
        } catch (RuntimeException e) {
            LOG.warn("Cannot evaluate alert rules; the next round tries again", e);
            pause();
        }
    }

    private void pause() {
        hasFailed = true;
        pauseUntil = System.nanoTime() + PAUSE_AFTER_FAILURE.toNanos();
    }

    private void send(Outbox outbox) {
        try {
            outbox.send(rounds.tracked(), rounds.sendingTime(), clock);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("Cannot send alerts; they are sent again", e);
        }
    }

    /** Stops, and lets another service evaluate at once. */
    @Override
    public void close() {
        tasks.forEach(task -> task.cancel(true));
        threads.shutdownNow();
        workers.shutdownNow();
        try {
            // What is under way ends by the interrupt, or within its timeouts
            if (!threads.awaitTermination(10, TimeUnit.SECONDS) || !workers.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("An evaluation of alert rules does not end");
            }
            lease.release();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (JedisException e) {
            LOG.debug("Could not release the lease; it expires by itself", e);
        }
        http.shutdownNow();
        redis.close();
    }
}
