package io.cordwood.systemtests.deletion;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.systemtests.lab.Archiving;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.load.Producers;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** Deletes tenants, as {@code bin/cordwood tenant delete} does. For one thread. */
public final class TenantDeleter {
    /** A tenant of medium size, which a full run deletes. */
    public static final int DELETED_TENANT = 15;

    private static final int ATTEMPTS = 5;

    private final Lab lab;
    private final Producers producers;
    private final Ledger ledger;

    public TenantDeleter(Lab lab, Producers producers, Ledger ledger) {
        this.lab = lab;
        this.producers = producers;
        this.ledger = ledger;
    }

    /**
     * The log ends at one time.
     *
     * @param ends by partition
     * @param offsets the same, with the ends of deleted topics
     */
    public record Floors(int generation, Map<Integer, Long> ends, TableOffsets offsets) {}

    /** The current log ends. */
    public Floors floors(Admin admin) throws IOException, InterruptedException, ExecutionException {
        Map<PartitionId, Long> known = new HashMap<>();
        lab.archivedThrough()
                .forEach((id, offsets) ->
                        offsets.forEach((partition, offset) -> known.put(new PartitionId(id, partition), offset)));
        Archiving archiving = new Archiving(lab, admin);
        String topicId = archiving.topic().topicId().toString();
        Map<Integer, Long> ends = archiving.endOffsets();
        Map<PartitionId, Long> floors = new HashMap<>();
        ends.forEach((partition, end) -> floors.put(new PartitionId(topicId, partition), end));
        return new Floors(
                producers.generation(), ends, TableOffsets.of(floors).withEarlierTopics(TableOffsets.of(known)));
    }

    /** Deletes all rows that the tenant has sent so far. @throws IOException if that fails */
    public void delete(Admin admin, int tenant) throws IOException, InterruptedException, ExecutionException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (delete(tenant, floors(admin))) {
                return;
            }
        }
        throw new IOException("rows are committed all the time while the tenant is deleted");
    }

    /**
     * Deletes the tenant's rows below the floors.
     *
     * @return false if the catalog refused because the tenant's table has rows above the floors
     */
    public boolean delete(int tenant, Floors floors) throws IOException, InterruptedException {
        // Before the deletion, so that a checker knows why rows are gone.
        ledger.deleted(tenant, floors.generation(), floors.ends());
        return lab.deleteTenant(NumberedRow.tenantId(tenant), floors.offsets());
    }
}
