package io.cordwood.catalog.server.table;

import io.cordwood.catalog.table.DenseAfter;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.catalog.usage.UsageJournal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/**
 * Rules for changes of tables by clients of the Iceberg endpoints, including operators. Immutable.
 *
 * <p>Every method throws {@link IllegalArgumentException} or {@link ValidationException} with a message for the client.
 *
 * @param warehouse URI under which all tables lie, as {@code <warehouse>/<namespace>/<table>}
 */
public record TableRules(String warehouse) {
    /** A schema name; a dot would read as a second level in Iceberg's JDBC catalog. */
    private static final Pattern NAMESPACE_NAME = Pattern.compile("[a-zA-Z0-9_~-]{1,200}");
    /** Properties that redirect a table's files. */
    private static final Pattern PATH_PROPERTY = Pattern.compile("write\\..*path");

    public TableRules {
        warehouse = warehouse.replaceFirst("/+$", "");
    }

    public void checkNamespace(Namespace namespace) {
        if (namespace.length() != 1
                || !NAMESPACE_NAME.matcher(namespace.level(0)).matches()) {
            throw new IllegalArgumentException(
                    "'%s' cannot be a namespace: one level, 1 to 200 of letters, digits, '_', '-' and '~'"
                            .formatted(namespace));
        }
    }

    void checkName(TableIdentifier table) {
        checkNamespace(table.namespace());
        StreamNames.checkedTopic(table.name());
    }

    public void checkRename(TableIdentifier source, TableIdentifier destination) {
        checkName(destination);
        if (!source.namespace().equals(destination.namespace())) {
            throw new IllegalArgumentException(
                    "Table %s cannot become %s: its rows, offsets and usage are those of the tenant of namespace %s"
                            .formatted(source, destination, source.namespace()));
        }
    }

    public void checkCreation(TableIdentifier table, CreateTableRequest request) {
        checkName(table);
        if (request.location() != null) {
            checkLocation(table, "location", request.location());
        }
        checkValues(table, request.properties());
        checkNoOffsets(request.properties());
    }

    /**
     * Checks a commit.
     *
     * @return the commit, which is now also refused if its base does not allow its change of table offsets
     */
    public UpdateTableRequest checkCommit(TableIdentifier table, UpdateTableRequest request) {
        checkName(table);
        boolean creates =
                request.requirements().stream().anyMatch(UpdateRequirement.AssertTableDoesNotExist.class::isInstance);
        for (MetadataUpdate update : request.updates()) {
            if (update instanceof MetadataUpdate.SetLocation set) {
                checkLocation(table, "location", set.location());
            } else if (update instanceof MetadataUpdate.SetProperties set) {
                checkValues(table, set.updated());
                if (creates) {
                    checkNoOffsets(set.updated());
                }
            }
        }
        return creates ? request : OffsetsRequirement.addedTo(request);
    }

    private void checkValues(TableIdentifier table, Map<String, String> properties) {
        DenseAfter.days(properties, OptionalInt.empty());
        properties.forEach((name, value) -> {
            if (PATH_PROPERTY.matcher(name).matches()) {
                checkLocation(table, name, value);
            }
        });
    }

    private void checkLocation(TableIdentifier table, String what, String location) {
        String own = "%s/%s/%s".formatted(warehouse, table.namespace().level(0), table.name());
        boolean within = location.equals(own)
                || (location.startsWith(own + "/")
                        && Arrays.stream(location.substring(own.length() + 1).split("/"))
                                .noneMatch(
                                        segment -> segment.isEmpty() || segment.equals(".") || segment.equals("..")));
        if (!within) {
            throw new IllegalArgumentException("The %s '%s' of table %s must be %s or lie under it: leave it out"
                    .formatted(what, location, table, own));
        }
    }

    private static void checkNoOffsets(Map<String, String> properties) {
        for (String property : List.of(TableOffsets.PROPERTY, UsageJournal.PROPERTY)) {
            if (properties.containsKey(property)) {
                throw new IllegalArgumentException(
                        "A new table cannot have %s: create it with POST /cordwood/v1/tables, which knows where it starts"
                                .formatted(property));
            }
        }
    }
}
