package io.cordwood.trino;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.function.table.ReturnTypeSpecification.GenericTable.GENERIC_TABLE;
import static io.trino.spi.type.VarcharType.VARCHAR;

import com.google.inject.Inject;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.query.plan.TopN;
import io.cordwood.query.predicate.PredicateJson;
import io.cordwood.query.predicate.SerializedPredicate;
import io.cordwood.trino.function.MatchQueries;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.cordwood.trino.system.DeletionsTable;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.function.table.AbstractConnectorTableFunction;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.Descriptor;
import io.trino.spi.function.table.TableFunctionAnalysis;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The table function {@code system.tail}: the newest rows of a tenant's stream over all partitions and both tiers, in
 * time order (ChronoLog's playback). The engine replaces it by a scan of the tenant's table. Thread-safe.
 */
final class TailFunction extends AbstractConnectorTableFunction {
    /**
     * The arguments of a call, as a scan.
     *
     * @param table the scan
     */
    public record Handle(CordwoodTableHandle table) implements ConnectorTableFunctionHandle {}

    private static final String NAME = "tail";

    /** The maximum number of rows, because one node holds them in memory. */
    private static final long MAX_ROWS = 1_000_000;

    private static final long DEFAULT_ROWS = 100;
    private static final String ROWS = "ROWS";
    private static final String MATCH = "MATCH";
    private static final String COLUMN = "COLUMN";

    private final FunctionTables tables;

    @Inject
    TailFunction(FunctionTables tables) {
        super(
                DeletionsTable.SCHEMA,
                NAME,
                List.of(
                        FunctionArguments.required(FunctionArguments.TENANT),
                        FunctionArguments.optional(FunctionArguments.STREAM, "logs"),
                        FunctionArguments.optional(ROWS, DEFAULT_ROWS),
                        FunctionArguments.optional(MATCH),
                        FunctionArguments.optional(COLUMN, "message")),
                GENERIC_TABLE,
                "The newest rows of a tenant's stream, in time order");
        this.tables = tables;
    }

    @Override
    public TableFunctionAnalysis analyze(
            ConnectorSession session,
            ConnectorTransactionHandle transaction,
            Map<String, Argument> arguments,
            ConnectorAccessControl accessControl) {
        FunctionArguments given = new FunctionArguments(NAME, arguments);
        FunctionTables.Opened table = tables.open(
                session,
                transaction,
                given,
                accessControl,
                "cannot apply its row filters and column masks; SELECT ... ORDER BY ts DESC LIMIT n can");
        return TableFunctionAnalysis.builder()
                .returnedType(new Descriptor(table.columns().stream()
                        .map(column -> new Descriptor.Field(column.name(), Optional.of(column.type())))
                        .collect(toImmutableList())))
                .handle(new Handle(table.handle()
                        .withFilter(table.handle().domain(), conditions(given, table))
                        .withTopN(new TopN(given.count(ROWS, MAX_ROWS), true, false, true))))
                .build();
    }

    private static List<SerializedPredicate> conditions(FunctionArguments arguments, FunctionTables.Opened table) {
        Optional<String> match = arguments.optionalText(MATCH);
        if (match.isEmpty()) {
            return List.of();
        }
        String columnName = arguments.text(COLUMN).toLowerCase(Locale.ROOT);
        TableColumnHandle column = table.columns().stream()
                .filter(each -> each.name().equals(columnName))
                .findFirst()
                .orElseThrow(() ->
                        arguments.invalid(COLUMN, "table %s has no column '%s'".formatted(table.name(), columnName)));
        if (!column.type().equals(VARCHAR)) {
            throw arguments.invalid(
                    COLUMN,
                    "column '%s' is %s, not text"
                            .formatted(columnName, column.type().getDisplayName()));
        }
        return List.of(new SerializedPredicate(new Predicate.Match(
                PredicateJson.unbound(columnName, ColumnType.VARCHAR), MatchQueries.parse(match.get()))));
    }
}
