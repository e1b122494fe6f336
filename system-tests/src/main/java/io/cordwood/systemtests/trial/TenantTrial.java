package io.cordwood.systemtests.trial;

import static io.cordwood.systemtests.agent.FaultPoint.BEFORE_COMMIT;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.systemtests.deletion.TenantDeleter;
import io.cordwood.systemtests.deletion.TenantDeleter.Floors;
import io.cordwood.systemtests.lab.Archiving;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Component;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Deletes three tenants while their rows are in flight: one with a flush that waits for its commit, one with rows that
 * the job has not read, and one that continues to send. For one thread.
 */
public final class TenantTrial {
    private static final Duration RECOVERY = Duration.ofMinutes(5);
    private static final int ROWS = 20;
    /** Enough rows that the tenant which continues to send has some of them. */
    private static final int LATER_ROWS = 300;
    /** A tenant with rows in every flush. */
    private static final int SENDING = 1;
    /** Not a tenant of the numbered rows, so any visible row of it is an error. */
    private static final int NO_PRODUCER = -1;

    private final Lab lab;
    private final Ledger ledger;
    private final TenantDeleter deleter;
    private final int firstQuiet;

    /** @param tenants number of the producers' tenants; this trial sends rows of others */
    public TenantTrial(Lab lab, Ledger ledger, TenantDeleter deleter, int tenants) {
        this.lab = lab;
        this.ledger = ledger;
        this.deleter = deleter;
        this.firstQuiet = tenants;
    }

    void run() throws Exception {
        try (Admin admin = lab.admin()) {
            Floors early = deleter.floors(admin);
            awaitLaterRows(admin, early);
            int held = quietTenant(firstQuiet);
            int unread = quietTenant(firstQuiet + 1);
            lab.breakpoints().arm(BEFORE_COMMIT);
            send(held);
            Floors afterHeld = deleter.floors(admin);
            // Other tenants have sent more rows meanwhile: the flush's offset range ends above the floor, its rows
            // below it.
            lab.breakpoints().await(BEFORE_COMMIT, NumberedRow.tenantId(held));
            deleteUnread(admin, unread);
            deleter.delete(held, afterHeld);
            lab.breakpoints().release(BEFORE_COMMIT);
            if (!deleter.delete(SENDING, early)) {
                deleter.delete(admin, SENDING);
            }
        }
    }

    /** So that a table has rows above the floors. */
    private void awaitLaterRows(Admin admin, Floors early) throws Exception {
        String topicId = new Archiving(lab, admin).topic().topicId().toString();
        Await.await(RECOVERY, "rows are archived", () -> {
            Map<Integer, Long> archived = lab.archivedThrough().getOrDefault(topicId, Map.of());
            return archived.getOrDefault(0, 0L) >= early.ends().get(0) + LATER_ROWS;
        });
    }

    private void deleteUnread(Admin admin, int tenant) throws Exception {
        long pid = lab.pid(Component.FLINK);
        Lab.signal(pid, "STOP");
        try {
            lab.register(NumberedRow.tenantId(tenant));
            send(tenant);
            deleter.delete(admin, tenant);
        } finally {
            Lab.signal(pid, "CONT");
        }
    }

    /** The tenant sends some rows, is deleted, and must never be visible again. */
    private int quietTenant(int tenant) {
        ledger.deletedForGood(tenant);
        return tenant;
    }

    private void send(int tenant) throws Exception {
        try (KafkaProducer<byte[], byte[]> kafka = new KafkaProducer<>(
                Map.of("bootstrap.servers", lab.kafka()), new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<?>> sent = new ArrayList<>();
            for (int number = 0; number < ROWS; number++) {
                NumberedRow row = new NumberedRow(
                        NO_PRODUCER,
                        number,
                        tenant,
                        System.currentTimeMillis() * 1000,
                        "INFO",
                        number,
                        number,
                        true,
                        "of a tenant that will be deleted");
                byte[] key = NumberedRow.tenantId(tenant).getBytes(UTF_8);
                sent.add(kafka.send(new ProducerRecord<>(Lab.STREAM, 0, key, row.json())));
            }
            for (Future<?> row : sent) {
                row.get();
            }
        }
    }
}
