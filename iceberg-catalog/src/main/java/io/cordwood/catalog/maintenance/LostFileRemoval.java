package io.cordwood.catalog.maintenance;

import io.cordwood.catalog.commit.BackOff;
import io.cordwood.catalog.commit.PinnedTableOperations;
import io.cordwood.catalog.maintenance.LostFiles.Content;
import io.cordwood.catalog.maintenance.LostFiles.Lost;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.Transactions;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/**
 * Takes data files that the store has lost out of a table, so that queries no longer need them. Thread-safe.
 *
 * <p>Lost deletes stay in the table, as deleted rows would come back without them; and so do lost manifests, whose
 * files nobody knows.
 */
public final class LostFileRemoval {
    private final Catalog catalog;

    public LostFileRemoval(Catalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Removes those of the files that hold rows, and are still lost, in one commit.
     *
     * @return the files that it removed
     * @throws CommitStateUnknownException if others keep changing the table, or the catalog does not answer
     * @throws InterruptedException if interrupted between attempts
     */
    public List<Lost> remove(TableIdentifier identifier, Collection<Lost> files) throws InterruptedException {
        Set<String> locations = new HashSet<>();
        List<Lost> removed = files.stream()
                .filter(file -> file.content() == Content.ROWS)
                .filter(file -> locations.add(file.location()))
                .toList();
        BackOff backOff = BackOff.ofCommits();
        while (true) {
            BaseTable table = (BaseTable) catalog.loadTable(identifier);
            List<Lost> left = LostFiles.find(table).lost().stream()
                    .filter(file -> locations.contains(file.location()))
                    .toList();
            if (left.isEmpty()) {
                return removed;
            }
            try {
                commit(identifier, table, left);
            } catch (CommitStateUnknownException e) {
                // Whether it was done shows in the table
                if (!backOff.mayRetry()) {
                    throw e;
                }
                backOff.pause();
            }
        }
    }

    private static void commit(TableIdentifier identifier, BaseTable table, List<Lost> files) {
        Transaction transaction =
                Transactions.newTransaction(identifier.toString(), new PinnedTableOperations(table.operations()));
        DeleteFiles delete = transaction.newDelete();
        files.forEach(file -> delete.deleteFile(file.location()));
        delete.commit();
        transaction.commitTransaction();
    }
}
