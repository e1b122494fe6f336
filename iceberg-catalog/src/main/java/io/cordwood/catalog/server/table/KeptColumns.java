package io.cordwood.catalog.server.table;

import io.cordwood.catalog.table.ColumnAdditions;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.logblock.schema.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.types.Types;

/**
 * A requirement that refuses a person's commit after which Cordwood's services could not use the table any more: they
 * write and read its columns, and read its properties. A person adds columns as the services do, and changes none.
 * Immutable.
 *
 * <p>Because it is a requirement, Iceberg checks it against the very base of the commit.
 */
final class KeptColumns implements UpdateRequirement {
    /** Of one table. Wider ones cost each query of all tenants. */
    private static final int MAX_COLUMNS = 2000;
    /** Of all properties. Each commit writes them again. */
    private static final int MAX_PROPERTY_CHARACTERS = 1 << 20;

    private final List<MetadataUpdate> updates;

    private KeptColumns(List<MetadataUpdate> updates) {
        this.updates = updates;
    }

    /** Adds this as the last requirement of a request, so that a commit that lost a race fails for that reason. */
    static UpdateTableRequest addedTo(UpdateTableRequest request) {
        List<UpdateRequirement> requirements = new ArrayList<>(request.requirements());
        requirements.add(new KeptColumns(request.updates()));
        return new UpdateTableRequest(requirements, request.updates());
    }

    @Override
    public void validate(TableMetadata base) {
        try {
            check(base);
        } catch (IllegalArgumentException e) {
            throw new ValidationException(e, "%s", e.getMessage());
        }
    }

    private void check(TableMetadata base) {
        for (MetadataUpdate update : updates) {
            switch (update) {
                case MetadataUpdate.AddSchema schema -> {
                    // Iceberg numbers it anew, so the number of a former one would mean that one
                    if (base.schemasById().containsKey(schema.schema().schemaId())) {
                        throw new ValidationException(
                                "Schema %d is there: give a new schema another id",
                                schema.schema().schemaId());
                    }
                    check(base, schema.schema());
                }
                case MetadataUpdate.SetCurrentSchema set -> {
                    Schema known = base.schemasById().get(set.schemaId());
                    if (known != null) {
                        check(base, known);
                    }
                }
                case MetadataUpdate.SetProperties set -> check(base, set.updated());
                default -> {}
            }
        }
    }

    private static void check(TableMetadata base, Schema schema) {
        List<Types.NestedField> kept = base.schema().columns();
        for (int i = 0; i < kept.size(); i++) {
            if (i >= schema.columns().size()
                    || !isSame(kept.get(i), schema.columns().get(i))) {
                throw new ValidationException(
                        "Column '%s' can be changed by an operator only",
                        kept.get(i).name());
            }
        }
        if (!schema.identifierFieldIds().equals(base.schema().identifierFieldIds())) {
            throw new ValidationException("Identifier fields can be changed by an operator only");
        }
        if (schema.columns().size() > MAX_COLUMNS) {
            throw new ValidationException("The table would have more than %d columns", MAX_COLUMNS);
        }
        List<Types.NestedField> more =
                schema.columns().subList(kept.size(), schema.columns().size());
        List<ColumnDefinition> asked =
                more.stream().map(KeptColumns::definition).toList();
        List<String> allowed = ColumnAdditions.of(base.schema(), base.specs(), asked).stream()
                .map(ColumnDefinition::name)
                .toList();
        int id = base.lastColumnId();
        for (Types.NestedField column : more) {
            id++;
            // Files have columns by id: one of a dropped column, or of Iceberg's own, would read other bytes
            if (column.fieldId() != id) {
                throw new ValidationException(
                        "Column '%s' has field id %d, and the table's next is %d", column.name(), column.fieldId(), id);
            }
            if (column.isRequired() || column.initialDefault() != null || !allowed.contains(column.name())) {
                throw new ValidationException(
                        "Column '%s' cannot be added: it is required, has a default, or its name is taken",
                        column.name());
            }
        }
    }

    private static boolean isSame(Types.NestedField one, Types.NestedField other) {
        return one.fieldId() == other.fieldId()
                && one.name().equals(other.name())
                && one.type().equals(other.type())
                && one.isOptional() == other.isOptional();
    }

    private static ColumnDefinition definition(Types.NestedField column) {
        ColumnType type = TableSchemas.columnType(column.type())
                .filter(known -> known != ColumnType.MAP)
                .orElseThrow(() -> new ValidationException(
                        "Column '%s' cannot be %s: use string, long, double, boolean or timestamptz",
                        column.name(), column.type()));
        return type == ColumnType.VARCHAR
                ? ColumnDefinition.keyword(column.name())
                : ColumnDefinition.of(column.name(), type);
    }

    private static void check(TableMetadata base, Map<String, String> properties) {
        if (properties.containsKey(TableProperties.DEFAULT_NAME_MAPPING)) {
            TableSchemas.columnNames(properties);
        }
        long characters = Stream.of(base.properties(), properties)
                .flatMap(some -> some.entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (before, after) -> after))
                .entrySet()
                .stream()
                .mapToLong(property ->
                        property.getKey().length() + property.getValue().length())
                .sum();
        if (characters > MAX_PROPERTY_CHARACTERS) {
            throw new ValidationException(
                    "The table's properties would have more than %d characters", MAX_PROPERTY_CHARACTERS);
        }
    }
}
