package io.cordwood.ingest.builder;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.record.policy.TextColumns;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Columns that every new table has, independent of its rows, by stream. Immutable.
 *
 * @param byStream the columns of each stream, in the order they are declared
 */
public record DeclaredColumns(Map<String, List<Declared>> byStream) implements Serializable {
    /** No column of any stream. */
    public static final DeclaredColumns NONE = new DeclaredColumns(Map.of());

    /** A column's lower-case name and its type. */
    public record Declared(String name, ColumnType type) implements Serializable {
        public Declared {
            if (ColumnDefinition.isReserved(name)) {
                throw new IllegalArgumentException("'%s' is a reserved column name".formatted(name));
            }
        }
    }

    public DeclaredColumns {
        Map<String, List<Declared>> copy = new LinkedHashMap<>();
        byStream.forEach((stream, columns) -> copy.put(stream, List.copyOf(columns)));
        byStream = Map.copyOf(copy);
    }

    /**
     * Reads {@code STREAM=name:type,name:type;STREAM=name:type}. Names are lower-cased; a column may be declared twice.
     *
     * @throws IllegalArgumentException if the text is malformed, or a column has a reserved name or two types
     */
    public static DeclaredColumns parse(String text) {
        Map<String, List<Declared>> byStream = new LinkedHashMap<>();
        for (String stream : text.isEmpty() ? new String[0] : text.split(";")) {
            int equals = stream.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("'%s' is not STREAM=name:type,...".formatted(stream));
            }
            List<Declared> columns =
                    byStream.computeIfAbsent(stream.substring(0, equals), unknown -> new ArrayList<>());
            for (String column : stream.substring(equals + 1).split(",", -1)) {
                add(declared(column), columns);
            }
        }
        return new DeclaredColumns(byStream);
    }

    /** The text that {@link #parse} reads as these. */
    public String text() {
        return new TreeMap<>(byStream)
                .entrySet().stream()
                        .map(stream -> stream.getKey() + "="
                                + stream.getValue().stream()
                                        .map(column -> "%s:%s"
                                                .formatted(
                                                        column.name(),
                                                        column.type().name().toLowerCase(Locale.ROOT)))
                                        .collect(Collectors.joining(",")))
                        .collect(Collectors.joining(";"));
    }

    private static void add(Declared column, List<Declared> columns) {
        for (Declared before : columns) {
            if (before.name().equals(column.name()) && before.type() != column.type()) {
                throw new IllegalArgumentException("column '%s' is declared with two types".formatted(column.name()));
            }
        }
        if (!columns.contains(column)) {
            columns.add(column);
        }
    }

    private static Declared declared(String column) {
        int colon = column.lastIndexOf(':');
        String name = column.substring(0, Math.max(0, colon)).strip().toLowerCase(Locale.ROOT);
        ColumnType type = switch (column.substring(colon + 1).strip()) {
            case "varchar" -> ColumnType.VARCHAR;
            case "bigint" -> ColumnType.BIGINT;
            case "double" -> ColumnType.DOUBLE;
            case "boolean" -> ColumnType.BOOLEAN;
            case "timestamp" -> ColumnType.TIMESTAMP;
            default ->
                throw new IllegalArgumentException(
                        "'%s' is not name:type with type varchar, bigint, double, boolean or timestamp"
                                .formatted(column));
        };
        return new Declared(name, type);
    }

    /** The columns of a stream as its tables have them; a varchar column is text if the rule says so. */
    List<ColumnDefinition> definitions(String stream, TextColumns text) {
        return byStream.getOrDefault(stream, List.of()).stream()
                .map(column -> column.type() == ColumnType.VARCHAR
                        ? new ColumnDefinition(column.name(), column.type(), text.indexKind(column.name()))
                        : ColumnDefinition.of(column.name(), column.type()))
                .toList();
    }
}
