package io.cordwood.trino;

import io.cordwood.catalog.table.ColumnDefinition;
import io.trino.testing.TestingNames;
import io.trino.testing.sql.TestTable;
import io.trino.tpch.TpchTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a test of the suite would make by SQL: a table of a tenant of its own, in a catalog that does not look into
 * Kafka, because no ingest job is there to flush what a deletion waits for.
 */
final class ColdTable extends TestTable {
    /** The stream of tables that are no copies. */
    static final String WORDS = "words";

    private static final Pattern COPY = Pattern.compile("AS SELECT \\* FROM (\\w+)");
    private static final Pattern ONE_VARCHAR = Pattern.compile("\\((\\w+) varchar(?:\\(\\d+\\))?\\)");

    private final String qualifiedName;

    private ColdTable(String catalog, String tenant, String stream) {
        super(sql -> {}, tenant, "");
        qualifiedName = "%s.%s.%s".formatted(catalog, tenant, stream);
    }

    /**
     * The table for a definition; empty if it is neither a copy of a table of TPC-H nor one column of text.
     *
     * @param values of the one column, as SQL literals
     */
    static Optional<TestTable> of(
            SampleTables tables, String catalog, String namePrefix, String definition, List<String> values) {
        String tenant = namePrefix + TestingNames.randomNameSuffix();
        Matcher copy = COPY.matcher(definition);
        if (copy.matches()) {
            TpchTable<?> table = TpchTable.getTable(copy.group(1));
            tables.write(tenant, table.getTableName(), 0, TpchLogs.columns(table), TpchLogs.rows(table));
            return Optional.of(new ColdTable(catalog, tenant, table.getTableName()));
        }
        Matcher column = ONE_VARCHAR.matcher(definition);
        if (!column.matches()) {
            return Optional.empty();
        }
        String name = column.group(1);
        tables.write(tenant, WORDS, 0, List.of(ColumnDefinition.keyword(name)), rows(name, values));
        return Optional.of(new ColdTable(catalog, tenant, WORDS));
    }

    private static List<SampleRow> rows(String column, List<String> literals) {
        List<SampleRow> rows = new ArrayList<>();
        for (String literal : literals) {
            String value = literal.substring(1, literal.length() - 1);
            rows.add(new SampleRow(SampleLogs.START_MICROS + rows.size(), Map.of(column, value)));
        }
        return rows;
    }

    @Override
    public String getName() {
        return qualifiedName;
    }

    /** The tenant goes with its server. */
    @Override
    public void close() {}
}
