package io.cordwood.trino;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.function.table.ReturnTypeSpecification.GenericTable.GENERIC_TABLE;
import static io.trino.spi.security.AccessDeniedException.denySelectTable;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.query.plan.TopN;
import io.cordwood.query.predicate.PredicateJson;
import io.cordwood.query.predicate.SerializedPredicate;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.trino.function.MatchQueries;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.cordwood.trino.system.DeletionsTable;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnSchema;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.function.table.AbstractConnectorTableFunction;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.Descriptor;
import io.trino.spi.function.table.ScalarArgument;
import io.trino.spi.function.table.ScalarArgumentSpecification;
import io.trino.spi.function.table.TableFunctionAnalysis;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

    /** The maximum number of rows, because one node holds them in memory. */
    private static final long MAX_ROWS = 1_000_000;

    private static final long DEFAULT_ROWS = 100;
    private static final String TENANT = "TENANT";
    private static final String STREAM = "STREAM";
    private static final String ROWS = "ROWS";
    private static final String MATCH = "MATCH";
    private static final String COLUMN = "COLUMN";

    private final QueryCatalog catalog;
    private final CordwoodTransactions transactions;
    private final CordwoodMetadataFactory metadataFactory;

    @Inject
    TailFunction(QueryCatalog catalog, CordwoodTransactions transactions, CordwoodMetadataFactory metadataFactory) {
        super(
                DeletionsTable.SCHEMA,
                "tail",
                List.of(
                        ScalarArgumentSpecification.builder()
                                .name(TENANT)
                                .type(VARCHAR)
                                .build(),
                        optional(STREAM, "logs"),
                        ScalarArgumentSpecification.builder()
                                .name(ROWS)
                                .type(BIGINT)
                                .defaultValue(DEFAULT_ROWS)
                                .build(),
                        ScalarArgumentSpecification.builder()
                                .name(MATCH)
                                .type(VARCHAR)
                                .defaultValue(null)
                                .build(),
                        optional(COLUMN, "message")),
                GENERIC_TABLE,
                "The newest rows of a tenant's stream, in time order");
        this.catalog = catalog;
        this.transactions = transactions;
        this.metadataFactory = metadataFactory;
    }

    private static ScalarArgumentSpecification optional(String name, String value) {
        return ScalarArgumentSpecification.builder()
                .name(name)
                .type(VARCHAR)
                .defaultValue(Slices.utf8Slice(value))
                .build();
    }

    @Override
    public TableFunctionAnalysis analyze(
            ConnectorSession session,
            ConnectorTransactionHandle transaction,
            Map<String, Argument> arguments,
            ConnectorAccessControl accessControl) {
        String tenant = text(arguments, TENANT);
        String stream = text(arguments, STREAM).toLowerCase(Locale.ROOT);
        if (stream.isEmpty()) {
            throw invalid("stream", "it must not be empty");
        }
        SchemaTableName name = new SchemaTableName(schemaName(tenant), stream);
        // Before the lookup: a user without a grant must not even learn whether the tenant exists
        accessControl.checkCanSelectFromColumns(null, name, Optional.empty(), Set.of());

        CordwoodMetadata metadata = metadataFactory.create(transactions.version(transaction));
        CordwoodTableHandle table = Optional.ofNullable((CordwoodTableHandle)
                        metadata.getTableHandle(session, name, Optional.empty(), Optional.empty()))
                .orElseThrow(() -> unknown(tenant, stream));
        List<TableColumnHandle> columns = metadata.visibleColumns(table);
        checkAccess(accessControl, name, columns);
        return TableFunctionAnalysis.builder()
                .returnedType(new Descriptor(columns.stream()
                        .map(column -> new Descriptor.Field(column.name(), Optional.of(column.type())))
                        .collect(toImmutableList())))
                .handle(new Handle(table.withFilter(table.domain(), conditions(arguments, name, columns))
                        .withTopN(new TopN(rows(arguments), true, false, true))))
                .build();
    }

    private static String schemaName(String tenant) {
        try {
            return TenantNames.schemaName(tenant);
        } catch (IllegalArgumentException e) {
            throw invalid("tenant", e.getMessage());
        }
    }

    private TrinoException unknown(String tenant, String stream) {
        return catalog.streams().contains(stream)
                ? invalid("tenant", "there is no tenant '%s' with rows in stream '%s'".formatted(tenant, stream))
                : invalid(
                        "stream",
                        "there is no stream '%s'; streams are: %s"
                                .formatted(stream, String.join(", ", catalog.streams())));
    }

    /**
     * Rejects tables with row filters or column masks. The engine applies these to a named table, but cannot apply them
     * here.
     */
    private static void checkAccess(
            ConnectorAccessControl accessControl, SchemaTableName name, List<TableColumnHandle> columns) {
        accessControl.checkCanSelectFromColumns(
                null,
                name,
                Optional.empty(),
                columns.stream().map(TableColumnHandle::name).collect(toImmutableSet()));
        if (!isWithoutRules(accessControl, name, columns)) {
            denySelectTable(
                    name.toString(),
                    "system.tail cannot apply its row filters and column masks; SELECT ... ORDER BY ts DESC LIMIT n can");
        }
    }

    private static boolean isWithoutRules(
            ConnectorAccessControl accessControl, SchemaTableName name, List<TableColumnHandle> columns) {
        List<ColumnSchema> schemas = columns.stream()
                .map(column -> column.metadata().getColumnSchema())
                .collect(toImmutableList());
        try {
            return accessControl.getRowFilters(null, name).isEmpty()
                    && accessControl.getColumnMasks(null, name, schemas).isEmpty();
        } catch (TrinoException e) {
            // The engine does not pass filters and masks to connectors, and fails if there are any
            if (e.getErrorCode().equals(NOT_SUPPORTED.toErrorCode())) {
                return false;
            }
            throw e;
        }
    }

    private static long rows(Map<String, Argument> arguments) {
        Object rows = value(arguments, ROWS);
        if (!(rows instanceof Long count) || count <= 0 || count > MAX_ROWS) {
            throw invalid("rows", "%s is not between 1 and %d".formatted(rows, MAX_ROWS));
        }
        return count;
    }

    private static List<SerializedPredicate> conditions(
            Map<String, Argument> arguments, SchemaTableName table, List<TableColumnHandle> columns) {
        if (value(arguments, MATCH) == null) {
            return List.of();
        }
        String columnName = text(arguments, COLUMN).toLowerCase(Locale.ROOT);
        TableColumnHandle column = columns.stream()
                .filter(each -> each.name().equals(columnName))
                .findFirst()
                .orElseThrow(() -> invalid("column", "table %s has no column '%s'".formatted(table, columnName)));
        if (!column.type().equals(VARCHAR)) {
            throw invalid(
                    "column",
                    "column '%s' is %s, not text"
                            .formatted(columnName, column.type().getDisplayName()));
        }
        return List.of(new SerializedPredicate(new Predicate.Match(
                PredicateJson.unbound(columnName, ColumnType.VARCHAR), MatchQueries.parse(text(arguments, MATCH)))));
    }

    private static String text(Map<String, Argument> arguments, String name) {
        if (value(arguments, name) instanceof Slice text) {
            return text.toStringUtf8();
        }
        throw invalid(name.toLowerCase(Locale.ROOT), "it must not be null");
    }

    private static Object value(Map<String, Argument> arguments, String name) {
        return ((ScalarArgument) arguments.get(name)).getValue();
    }

    private static TrinoException invalid(String argument, String why) {
        return new TrinoException(INVALID_FUNCTION_ARGUMENT, "system.tail: argument %s: %s".formatted(argument, why));
    }
}
