package io.cordwood.catalog.table;

import io.cordwood.logblock.schema.ColumnType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/**
 * Decides which requested columns are added to a table. For a single use; not thread-safe.
 *
 * <p>An existing column stays as it is. A column with the name of a partition field, such as {@code ts_day}, is
 * refused, because Iceberg refuses it.
 *
 * <p>A bigint column {@code x} may have a twin: the double column {@code x.double}, which readers show as part of
 * {@code x}. Two independent writers may request {@code x} and an unrelated column {@code x.double}. The later one is
 * refused, so that no value of one ever appears as a value of the other:
 *
 * <ul>
 *   <li>A bigint column is refused if a double column has the name of its twin.
 *   <li>A column with the name of a bigint column's twin is refused, unless it is the twin. A request for a twin has
 *       the bigint column before it.
 * </ul>
 */
public final class ColumnAdditions {
    private static final String TWIN_SUFFIX = ".double";

    private final Map<String, Optional<ColumnType>> types = new HashMap<>();
    private final Set<String> partitionFields = new HashSet<>();
    private final Set<String> bigintsAskedFor = new HashSet<>();
    private final List<ColumnDefinition> added = new ArrayList<>();

    private ColumnAdditions(Schema schema, Collection<PartitionSpec> specs) {
        for (Types.NestedField field : schema.columns()) {
            types.put(field.name(), TableSchemas.columnType(field.type()));
        }
        for (PartitionSpec spec : specs) {
            spec.fields().stream().map(PartitionField::name).forEach(partitionFields::add);
        }
    }

    /**
     * The columns to add to a table, in the requested order.
     *
     * @param schema present columns of the table
     * @param specs present and former partition specs of the table
     */
    public static List<ColumnDefinition> of(
            Schema schema, Collection<PartitionSpec> specs, List<ColumnDefinition> requested) {
        ColumnAdditions additions = new ColumnAdditions(schema, specs);
        requested.forEach(additions::ask);
        return List.copyOf(additions.added);
    }

    private void ask(ColumnDefinition column) {
        String name = column.name();
        boolean free = !types.containsKey(name) && !partitionFields.contains(name);
        if (free && agreesWithTwin(column)) {
            types.put(name, Optional.of(column.type()));
            added.add(column);
        }
        if (column.type() == ColumnType.BIGINT) {
            bigintsAskedFor.add(name);
        }
    }

    private boolean agreesWithTwin(ColumnDefinition column) {
        String name = column.name();
        if (column.type() == ColumnType.BIGINT && has(name + TWIN_SUFFIX, ColumnType.DOUBLE)) {
            return false;
        }
        if (!name.endsWith(TWIN_SUFFIX)) {
            return true;
        }
        String twinOf = name.substring(0, name.length() - TWIN_SUFFIX.length());
        boolean askedAsTwin = column.type() == ColumnType.DOUBLE && bigintsAskedFor.contains(twinOf);
        return has(twinOf, ColumnType.BIGINT) == askedAsTwin;
    }

    private boolean has(String name, ColumnType type) {
        return types.getOrDefault(name, Optional.empty()).filter(type::equals).isPresent();
    }
}
