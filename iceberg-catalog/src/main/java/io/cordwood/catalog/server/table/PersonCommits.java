package io.cordwood.catalog.server.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/**
 * Rules for commits of people, beside {@link TableRules}: every file that a commit names, in its metadata or in the
 * manifests that it adds, lies below the table's own location. For services read and delete what a table names. What
 * they rely on stays, by {@link KeptColumns} and {@link KeptHistory}. Thread-safe.
 *
 * <p>Services are not checked: they make the locations themselves, and their commits cost nothing more.
 */
public final class PersonCommits {
    /**
     * Names of properties that say where files are or which code reads them, those of Cordwood, and those that decide
     * how services commit: a value that cannot be read would stop them.
     */
    private static final Pattern PROPERTY =
            Pattern.compile("(.*[._-])?(impl|path|location|uri|endpoint|catalog)([._-].*)?"
                    + "|(cordwood|encryption|s3|client|gcs|adls|kms|hadoop|fs|io)[.-].*"
                    + "|(commit|history|gc|read|compatibility)\\..*"
                    + "|write\\.(metadata|manifest|manifest-lists|avro|summary|delete\\.(format|avro|parquet))\\..*");

    private final Catalog catalog;
    private final FileIO io;

    public PersonCommits(Catalog catalog, FileIO io) {
        this.catalog = catalog;
        this.io = io;
    }

    /**
     * Checks a commit.
     *
     * @return the commit, which is now also refused if the table is another than the one that it was checked against
     * @throws ForbiddenException if it makes a table
     * @throws ValidationException if it names what is not the table's own
     */
    public UpdateTableRequest checked(TableIdentifier identifier, UpdateTableRequest request) {
        if (request.requirements().stream().anyMatch(UpdateRequirement.AssertTableDoesNotExist.class::isInstance)) {
            throw new ForbiddenException("A new table needs an operator: table %s", identifier);
        }
        TableMetadata base =
                ((BaseTable) catalog.loadTable(identifier)).operations().current();
        OwnFiles files = new OwnFiles(base, io);
        for (MetadataUpdate update : request.updates()) {
            check(base, files, update);
        }
        List<UpdateRequirement> requirements = new ArrayList<>(request.requirements());
        requirements.add(new UpdateRequirement.AssertTableUUID(base.uuid()));
        return KeptColumns.addedTo(KeptHistory.addedTo(new UpdateTableRequest(requirements, request.updates())));
    }

    private static void check(TableMetadata base, OwnFiles files, MetadataUpdate update) {
        switch (update) {
            case MetadataUpdate.SetLocation set -> {
                if (!set.location().equals(base.location())) {
                    throw new ValidationException(
                            "The location of the table cannot be set to '%s': leave it out", set.location());
                }
            }
            case MetadataUpdate.SetProperties set -> set.updated().keySet().forEach(PersonCommits::checkProperty);
            case MetadataUpdate.RemoveProperties remove -> remove.removed().forEach(PersonCommits::checkProperty);
            case MetadataUpdate.AddSnapshot added -> files.checkSnapshot(added.snapshot());
            case MetadataUpdate.SetStatistics set ->
                files.check("statistics file", set.statisticsFile().path());
            case MetadataUpdate.SetPartitionStatistics set ->
                files.check("statistics file", set.partitionStatisticsFile().path());
            case MetadataUpdate.AddSchema same -> {}
            case MetadataUpdate.SetCurrentSchema same -> {}
            case MetadataUpdate.SetSnapshotRef same -> {}
            case MetadataUpdate.RemoveSnapshotRef same -> {}
            case MetadataUpdate.RemoveSnapshots same -> {}
            case MetadataUpdate.RemoveStatistics same -> {}
            case MetadataUpdate.RemovePartitionStatistics same -> {}
            default ->
                throw new ValidationException(
                        "A change of the kind %s needs an operator",
                        update.getClass().getSimpleName());
        }
    }

    private static void checkProperty(String name) {
        String known = name.toLowerCase(Locale.ROOT);
        // Iceberg takes its own names for orders: format-version upgrades the table
        if (TableProperties.RESERVED_PROPERTIES.contains(known)
                || PROPERTY.matcher(known).matches()) {
            throw new ValidationException(
                    "Property '%s' can be changed by an operator only: it says where files are, which code reads them,"
                            + " how services commit, or what the lake knows of the table",
                    name);
        }
    }
}
