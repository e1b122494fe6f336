package io.cordwood.logblock.parquet;

import io.cordwood.logblock.schema.ColumnNames;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.SchemaElement;

/** Assigns the columns of a file without field ids the table's ids, by name. Not thread-safe. */
final class NamedFields {
    private final List<SchemaElement> schema;
    private final ColumnNames names;

    private NamedFields(List<SchemaElement> schema, ColumnNames names) {
        this.schema = schema;
        this.names = names;
    }

    /**
     * Sets the ids of columns, if no element of the schema has one. Columns without a name in the mapping get no id and
     * are not read.
     */
    static void assign(List<SchemaElement> schema, ColumnNames names) {
        if (!names.fieldIds().isEmpty() && schema.stream().noneMatch(SchemaElement::isSetField_id)) {
            new NamedFields(schema, names).assignColumns();
        }
    }

    private void assignColumns() {
        int at = 1;
        for (int column = 0; column < schema.getFirst().getNum_children(); column++) {
            SchemaElement element = schema.get(at);
            assign(element, element.getName());
            if (isMap(at)) {
                assign(schema.get(at + 2), ColumnNames.nested(element.getName(), ColumnNames.KEY));
                assign(schema.get(at + 3), ColumnNames.nested(element.getName(), ColumnNames.VALUE));
            }
            at = end(at);
        }
    }

    private void assign(SchemaElement element, String name) {
        Optional.ofNullable(names.fieldIds().get(name)).ifPresent(element::setField_id);
    }

    /** Whether an element is a map from one column to another; the name of the group between them differs by writer. */
    private boolean isMap(int at) {
        SchemaElement element = schema.get(at);
        boolean saysSo = element.isSetLogicalType() && element.getLogicalType().isSetMAP()
                || element.isSetConverted_type()
                        && (element.getConverted_type() == ConvertedType.MAP
                                || element.getConverted_type() == ConvertedType.MAP_KEY_VALUE);
        return saysSo
                && element.getNum_children() == 1
                && schema.get(at + 1).getNum_children() == 2
                && schema.get(at + 2).getNum_children() == 0
                && schema.get(at + 3).getNum_children() == 0;
    }

    /** The element after an element and its descendants. */
    private int end(int at) {
        int next = at;
        for (int left = 1; left > 0; left--) {
            left += schema.get(next++).getNum_children();
        }
        return next;
    }
}
