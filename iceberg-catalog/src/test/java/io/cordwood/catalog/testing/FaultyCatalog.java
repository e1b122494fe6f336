package io.cordwood.catalog.testing;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** A catalog whose tables have the operations that a test wants. */
public final class FaultyCatalog implements Catalog {
    private final Catalog delegate;
    private final UnaryOperator<TableOperations> operations;

    public FaultyCatalog(Catalog delegate, UnaryOperator<TableOperations> operations) {
        this.delegate = delegate;
        this.operations = operations;
    }

    @Override
    public Table loadTable(TableIdentifier identifier) {
        BaseTable table = (BaseTable) delegate.loadTable(identifier);
        return new BaseTable(operations.apply(table.operations()), table.name());
    }

    @Override
    public List<TableIdentifier> listTables(Namespace namespace) {
        return delegate.listTables(namespace);
    }

    @Override
    public boolean dropTable(TableIdentifier identifier, boolean purge) {
        return delegate.dropTable(identifier, purge);
    }

    @Override
    public void renameTable(TableIdentifier from, TableIdentifier to) {
        delegate.renameTable(from, to);
    }
}
