package io.cordwood.trino;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.VarcharType.VARCHAR;

import com.google.inject.Inject;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.language.BoundSearch;
import io.cordwood.query.language.SearchBinder;
import io.cordwood.query.language.SearchParser;
import io.cordwood.query.language.SearchSyntaxException;
import io.cordwood.query.language.SearchTime;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.predicate.SerializedPredicate;
import io.cordwood.query.search.TextColumn;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import io.cordwood.trino.system.DeletionsTable;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.function.table.AbstractConnectorTableFunction;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.Descriptor;
import io.trino.spi.function.table.ReturnTypeSpecification.DescribedTable;
import io.trino.spi.function.table.TableFunctionAnalysis;
import io.trino.spi.type.Type;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The table function {@code system.patterns}: the templates of a text column with their counts, as the search service
 * gives them. {@link PatternsProcessors} finds them. Thread-safe.
 */
final class PatternsFunction extends AbstractConnectorTableFunction {
    /**
     * The arguments of a call.
     *
     * @param tenantId the tenant
     * @param stream the stream
     * @param fromMicros first time, included
     * @param toMicros last time, included
     * @param conjuncts all other conditions
     * @param column the column of text
     * @param limit maximum number of patterns
     */
    public record Handle(
            String tenantId,
            String stream,
            long fromMicros,
            long toMicros,
            List<SerializedPredicate> conjuncts,
            QueryColumn column,
            int limit)
            implements ConnectorTableFunctionHandle {
        public Handle {
            conjuncts = List.copyOf(conjuncts);
        }

        ScanFilter filter(boolean useStatistics) {
            return new ScanFilter(
                    new TimeRange(fromMicros, toMicros),
                    conjuncts.stream().map(SerializedPredicate::predicate).toList(),
                    useStatistics);
        }
    }

    /** All rows of a call. */
    public record Split() implements ConnectorSplit {}

    /** The columns of the result. */
    static final List<Type> TYPES =
            List.of(VARCHAR, VARCHAR, BIGINT, DOUBLE, BIGINT, TIMESTAMP_TZ_MICROS, TIMESTAMP_TZ_MICROS, VARCHAR);

    private static final List<String> COLUMNS =
            List.of("pattern", "kind", "count", "share", "before", "first", "last", "sample");
    private static final String NAME = "patterns";
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 1000;
    private static final String QUERY = "QUERY";
    private static final String SINCE = "SINCE";
    private static final String UNTIL = "UNTIL";
    private static final String COLUMN = "COLUMN";
    private static final String LIMIT = "LIMIT";

    private final FunctionTables tables;
    private final CordwoodTransactions transactions;

    @Inject
    PatternsFunction(FunctionTables tables, CordwoodTransactions transactions) {
        super(
                DeletionsTable.SCHEMA,
                NAME,
                List.of(
                        FunctionArguments.required(FunctionArguments.TENANT),
                        FunctionArguments.optional(FunctionArguments.STREAM, "logs"),
                        FunctionArguments.optional(QUERY, ""),
                        FunctionArguments.optional(SINCE),
                        FunctionArguments.optional(UNTIL),
                        FunctionArguments.optional(COLUMN),
                        FunctionArguments.optional(LIMIT, DEFAULT_LIMIT)),
                new DescribedTable(Descriptor.descriptor(COLUMNS, TYPES)),
                "The templates of a tenant's lines, with their counts");
        this.tables = tables;
        this.transactions = transactions;
    }

    @Override
    public TableFunctionAnalysis analyze(
            ConnectorSession session,
            ConnectorTransactionHandle transaction,
            Map<String, Argument> arguments,
            ConnectorAccessControl accessControl) {
        FunctionArguments given = new FunctionArguments(NAME, arguments);
        FunctionTables.Opened opened = tables.open(
                session, transaction, given, accessControl, "cannot apply its row filters and column masks");
        String tenantId = opened.handle()
                .tenantId()
                .orElseThrow(() -> given.invalid(FunctionArguments.TENANT, "name one tenant"));
        TableVersion table = transactions
                .version(transaction)
                .table(tenantId, opened.handle().stream())
                .orElseThrow(() -> given.invalid(FunctionArguments.TENANT, "its table is gone"));
        ScanFilter filter = filter(given, table, session.getStart());
        return TableFunctionAnalysis.builder()
                .handle(new Handle(
                        tenantId,
                        table.stream(),
                        filter.time().fromMicros(),
                        filter.time().toMicros(),
                        filter.conjuncts().stream()
                                .map(SerializedPredicate::new)
                                .collect(toImmutableList()),
                        TextColumn.of(table, given.optionalText(COLUMN)),
                        (int) given.count(LIMIT, MAX_LIMIT)))
                .build();
    }

    private static ScanFilter filter(FunctionArguments given, TableVersion table, Instant now) {
        TimeRange time = new TimeRange(
                time(given, SINCE, now).orElse(Long.MIN_VALUE),
                // Excluded
                time(given, UNTIL, now)
                        .map(micros -> Math.max(micros, -Long.MAX_VALUE) - 1)
                        .orElse(Long.MAX_VALUE));
        try {
            BoundSearch bound =
                    new SearchBinder(table.columns().columns(), now).bind(SearchParser.parse(given.text(QUERY)));
            return new ScanFilter(bound.time(), bound.conjuncts(), true).within(time);
        } catch (SearchSyntaxException e) {
            throw given.invalid(QUERY, "character %d: %s".formatted(e.position(), e.getMessage()));
        }
    }

    private static Optional<Long> time(FunctionArguments given, String name, Instant now) {
        return given.optionalText(name)
                .map(text -> SearchTime.parse(text, now)
                        .orElseThrow(() -> given.invalid(name, "it is '%s': %s".formatted(text, SearchTime.FORMS)))
                        .micros());
    }
}
