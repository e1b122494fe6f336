package io.cordwood.query.scan;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.PredicateEvaluator;
import io.cordwood.logblock.scan.ColumnCursor;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.LogBlockScan;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.predicate.Predicates;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A factory of readers of one LogBlock's SQL columns, at rows that a scan found. Not thread-safe. */
public final class ColumnReaders {
    private final LogBlock logBlock;
    private final LogBlockScan scan;
    private final TableBinding binding;
    private final ReadOptions options;
    private final ReadMetrics metrics;
    private final BatchSize batch;

    /** @param batch records the values that predicates read */
    ColumnReaders(
            LogBlock logBlock,
            LogBlockScan scan,
            TableBinding binding,
            ReadOptions options,
            ReadMetrics metrics,
            BatchSize batch) {
        this.logBlock = logBlock;
        this.scan = scan;
        this.binding = binding;
        this.options = options;
        this.metrics = metrics;
        this.batch = batch;
    }

    /** Creates a reader of the column. */
    public ColumnReader column(QueryColumn column) throws IOException {
        return switch (column.source()) {
            case STORED, TENANT_ID, PATH, TIER -> stored(column.name(), column.type());
            case OVERFLOW -> OverflowReader.of(scan, binding.sources(column.name()));
        };
    }

    /** Creates a reader of the rows' times, in microseconds since the epoch. */
    public ColumnReader times() throws IOException {
        return stored(LogBlockSchema.TS, ColumnType.TIMESTAMP);
    }

    /** Runs of rows with the same value of a time bin; empty if the rows are not in time order. */
    public Optional<TimeBinRuns> runs(TimeBin bin) throws IOException {
        return logBlock.isOrdered()
                ? Optional.of(new TimeBinRuns(logBlock.times(options, metrics), bin))
                : Optional.empty();
    }

    /** Location of the LogBlock. */
    public String path() {
        return binding.constant(QueryColumn.PATH_NAME)
                .orElseThrow(() -> new IllegalStateException("Only rows in LogBlocks have a path"));
    }

    private ColumnReader stored(String name, ColumnType type) throws IOException {
        Optional<String> constant = binding.constant(name);
        if (constant.isPresent()) {
            return (rows, from, count) -> Vectors.constant(constant.get(), count);
        }
        if (binding.isAttribute(name)) {
            return AttributeReader.of(
                    scan,
                    binding.sources(LogBlockSchema.ATTRIBUTES),
                    QueryColumn.attributeKey(name).orElseThrow());
        }
        List<Column> sources = binding.sources(name);
        if (sources.isEmpty()) {
            return (rows, from, count) -> Vectors.nulls(type, count);
        }
        Column first = sources.getFirst();
        ColumnCursor cursor = scan.cursor(first);
        if (sources.size() == 1 && first.type() == type) {
            return cursor::read;
        }
        Column second = sources.getLast();
        ColumnReader secondReader = sources.size() == 1
                ? (rows, from, count) -> Vectors.nulls(second.type(), count)
                : scan.cursor(second)::read;
        return type == ColumnType.DOUBLE
                ? (rows, from, count) ->
                        Vectors.doubles(cursor.read(rows, from, count), secondReader.read(rows, from, count))
                : (rows, from, count) -> Vectors.texts(
                        cursor.read(rows, from, count),
                        first.type(),
                        secondReader.read(rows, from, count),
                        second.type());
    }

    /** Creates a reader of the value of a predicate on SQL columns: true, false or null. */
    public ColumnReader predicate(Predicate predicate) throws IOException {
        Map<Column, ColumnReader> readers = new HashMap<>();
        Predicate searchable = searchable(predicate, readers);
        return (rows, from, count) -> {
            Map<Column, Vector> values = new HashMap<>();
            for (Map.Entry<Column, ColumnReader> reader : readers.entrySet()) {
                Vector vector = reader.getValue().read(rows, from, count);
                batch.add(Vectors.sizeInBytes(vector), count);
                values.put(reader.getKey(), vector);
            }
            BitSet yes = PredicateEvaluator.evaluate(searchable, values::get, count);
            BitSet no = PredicateEvaluator.evaluate(new Predicate.Not(searchable), values::get, count);
            boolean[] flags = new boolean[count];
            NullMask nulls = new NullMask(count);
            for (int i = 0; i < count; i++) {
                flags[i] = yes.get(i);
                if (!yes.get(i) && !no.get(i)) {
                    nulls.set(i);
                }
            }
            return new BooleanVector(flags, count, nulls);
        };
    }

    /** Rewrites the predicate on columns with the index kind that {@code match} needs, and adds a reader for each. */
    private Predicate searchable(Predicate predicate, Map<Column, ColumnReader> readers) throws IOException {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) -> new Predicate.And(searchable(terms, readers));
            case Predicate.Or(List<Predicate> terms) -> new Predicate.Or(searchable(terms, readers));
            case Predicate.Not(Predicate term) -> new Predicate.Not(searchable(term, readers));
            case Predicate.IsNull(Column column) -> searchable(predicate, column, readers);
            case Predicate.Match(Column column, var query) -> searchable(predicate, column, readers);
            case Predicate.Like(Column column, var pattern, var escape) -> searchable(predicate, column, readers);
            case Predicate.In(Column column, var ranges) -> searchable(predicate, column, readers);
        };
    }

    private List<Predicate> searchable(List<Predicate> terms, Map<Column, ColumnReader> readers) throws IOException {
        List<Predicate> result = new ArrayList<>(terms.size());
        for (Predicate term : terms) {
            result.add(searchable(term, readers));
        }
        return result;
    }

    private Predicate searchable(Predicate leaf, Column column, Map<Column, ColumnReader> readers) throws IOException {
        List<Column> sources = binding.sources(column.name());
        boolean isText = sources.size() == 1 && sources.getFirst().index() == IndexKind.TEXT;
        Column known;
        if (column.type() != ColumnType.VARCHAR) {
            known = column;
        } else if (isText) {
            known = Column.text(column.name(), 0);
        } else {
            known = Column.keyword(column.name(), 0);
        }
        if (!readers.containsKey(known)) {
            readers.put(known, stored(column.name(), column.type()));
        }
        return Predicates.on(known, leaf);
    }
}
