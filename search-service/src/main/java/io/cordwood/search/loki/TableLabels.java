package io.cordwood.search.loki;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import io.cordwood.search.api.VisibleColumns;
import io.cordwood.search.logql.line.LabelNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What Loki's API shows of a table's columns. Immutable.
 *
 * @param name name of the stream, which is the value of the label {@code stream}
 * @param stream keyword columns that are labels of streams, by the name of the label
 * @param structured the other columns, which are structured metadata, by the name of the label
 * @param line the text column that has the line; empty if there is none
 * @param attributes the map of other values
 */
record TableLabels(
        String name,
        Map<String, QueryColumn> stream,
        Map<String, QueryColumn> structured,
        Optional<QueryColumn> line,
        Optional<QueryColumn> attributes) {
    /** Loki's own default. */
    private static final int MAX_STREAM_LABELS = 15;

    /** The label for the level that Loki finds in a line. Grafana asks for it with each query. */
    private static final String DETECTED_LEVEL = "detected_level";

    /** Names of columns that have the line, best first. */
    static final List<String> LINE_NAMES = List.of("message", "msg", "log", "body", "text", "line");

    /** Names of labels that usually have few values, best first. */
    private static final List<String> FEW_VALUES = List.of(
            "service_name",
            "service",
            "app",
            "application",
            "job",
            "namespace",
            "container",
            "component",
            "level",
            "severity",
            "environment",
            "env",
            "cluster",
            "region",
            "zone",
            "host",
            "hostname",
            "pod",
            "instance");

    /** Ends of the names of labels that usually have a value of their own in each row. */
    private static final List<String> MANY_VALUES = List.of("id", "uuid", "url", "path", "query", "time", "token");

    TableLabels {
        stream = Collections.unmodifiableMap(new LinkedHashMap<>(stream));
        structured = Collections.unmodifiableMap(new LinkedHashMap<>(structured));
    }

    static TableLabels of(TableVersion table) {
        return of(table.stream(), VisibleColumns.of(table).values());
    }

    /** Those of a stream's columns. */
    static TableLabels of(String name, Collection<QueryColumn> columns) {
        Optional<QueryColumn> line = lineColumn(columns);
        Optional<QueryColumn> attributes = columns.stream()
                .filter(column -> column.type() == ColumnType.MAP)
                .findFirst();
        Map<String, QueryColumn> named = new LinkedHashMap<>();
        for (QueryColumn column : columns) {
            boolean isLabel = !column.isHidden()
                    && !column.equals(QueryColumn.TENANT_ID)
                    && !column.equals(QueryColumn.TS)
                    && column.type() != ColumnType.MAP
                    && !line.equals(Optional.of(column));
            if (isLabel) {
                named.put(freeName(LabelNames.of(column.name()), named.keySet()), column);
            }
        }
        List<String> keywords = named.keySet().stream()
                .filter(label -> named.get(label).type() == ColumnType.VARCHAR
                        && named.get(label).index() == IndexKind.KEYWORD)
                .sorted(Comparator.comparingInt(TableLabels::rank))
                .limit(MAX_STREAM_LABELS)
                .toList();
        Map<String, QueryColumn> stream = new LinkedHashMap<>();
        keywords.forEach(label -> stream.put(label, named.get(label)));
        Map<String, QueryColumn> structured = new LinkedHashMap<>(named);
        structured.keySet().removeAll(stream.keySet());
        return new TableLabels(name, stream, structured, line, attributes);
    }

    /** A name that differs from that of the stream and from those of other columns. */
    private static String freeName(String name, Set<String> taken) {
        String free = name;
        while (free.equals(StreamChoice.LABEL) || taken.contains(free)) {
            free += "_column";
        }
        return free;
    }

    private static Optional<QueryColumn> lineColumn(Collection<QueryColumn> columns) {
        List<QueryColumn> texts = columns.stream()
                .filter(column -> column.type() == ColumnType.VARCHAR && column.index() == IndexKind.TEXT)
                .toList();
        return LINE_NAMES.stream()
                .flatMap(name -> texts.stream().filter(column -> column.name().equals(name)))
                .findFirst()
                .or(() -> texts.stream().findFirst());
    }

    private static int rank(String label) {
        int known = FEW_VALUES.indexOf(label);
        if (known >= 0) {
            return known;
        }
        boolean hasMany = MANY_VALUES.stream().anyMatch(label::endsWith);
        return hasMany ? FEW_VALUES.size() + 1 : FEW_VALUES.size();
    }

    /** The column of a label. */
    Optional<QueryColumn> column(String label) {
        return Optional.ofNullable(stream.get(label)).or(() -> Optional.ofNullable(structured.get(label)));
    }

    /** Whether a label belongs to the stream of a row. */
    boolean isOfStream(String label) {
        return label.equals(StreamChoice.LABEL) || stream.containsKey(label);
    }

    /** Whether an entry of the map of other values cannot have this label. */
    boolean isTaken(String label) {
        return isOfStream(label) || structured.containsKey(label) || label.equals(DETECTED_LEVEL);
    }

    /** Whether a row may have a label. */
    boolean mayHave(String label) {
        return isOfStream(label) || structured.containsKey(label) || (attributes.isPresent() && !isTaken(label));
    }

    /** The columns that all parts of a line come from. */
    List<QueryColumn> all() {
        Set<QueryColumn> all = new HashSet<>(stream.values());
        all.addAll(structured.values());
        line.ifPresent(all::add);
        attributes.ifPresent(all::add);
        List<QueryColumn> columns = new ArrayList<>(List.of(QueryColumn.TS));
        columns.addAll(all);
        return columns;
    }
}
