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
 * Decides which of the columns that somebody asks for are added to a table. For one use; not thread-safe.
 *
 * <p>A column that exists stays as it is. A column that bears the name of a partition field, such as {@code ts_day}, is
 * refused, because Iceberg refuses it.
 *
 * <p>A bigint column {@code x} may have a twin: the double column {@code x.double}, which readers show as part of
 * {@code x}. Two writers who do not know of each other may ask for {@code x} and for a column {@code x.double} of its
 * own. Whoever comes second is refused, so that no value of one is ever shown as a value of the other:
 *
 * <ul>
 *   <li>A bigint column is refused where a double column bears the name of its twin.
 *   <li>A column that bears the name of a bigint column's twin is refused, unless it is the twin. To ask for a twin is
 *       to ask for the bigint column before it in the same request.
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
     * The columns to add to a table, in the order in which they are asked for.
     *
     * @param schema the columns that the table has
     * @param specs all partition specs that the table has had
     */
    public static List<ColumnDefinition> of(
            Schema schema, Collection<PartitionSpec> specs, List<ColumnDefinition> wanted) {
        ColumnAdditions additions = new ColumnAdditions(schema, specs);
        wanted.forEach(additions::ask);
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
