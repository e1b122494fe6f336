package io.cordwood.gateway.pipeline;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The columns of a row: the members of a JSON object, those of objects within it under dotted names, as SQL shows them.
 * Values stay as they were written. Not thread-safe.
 */
final class Row {
    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private static final int MAX_NAME_BYTES = 16 << 20;

    private final RowMemory memory;
    private List<Column> columns = new ArrayList<>();
    private long nameBytes;

    /**
     * A column.
     *
     * @param name in lower case, not escaped
     * @param spelling escaped, between its quotes
     * @param data has the value from {@code from} to {@code to}; of a string, what is between its quotes
     */
    @SuppressWarnings("ArrayRecordComponent") // Copied when it is written
    private record Column(String name, byte[] spelling, Token token, byte[] data, int from, int to) {
        Column named(String newName) {
            return new Column(newName.toLowerCase(Locale.ROOT), escaped(newName), token, data, from, to);
        }
    }

    private Row(RowMemory memory) {
        this.memory = memory;
    }

    /** Counts the columns. */
    RowMemory memory() {
        return memory;
    }

    /**
     * Reads the columns of a row.
     *
     * @param memory counts them
     * @throws UndecodableRecordException unless it is one JSON object, or if the names of its columns, which repeat
     *     those of the objects around them, are too long together
     */
    static Row read(byte[] data, int from, int to, RowMemory memory) throws UndecodableRecordException {
        JsonScanner scanner = new JsonScanner();
        scanner.reset(data, from, to);
        if (scanner.peek() != '{') {
            throw scanner.unexpected("'{'");
        }
        scanner.value();
        Row row = new Row(memory);
        row.read(scanner, Optional.empty(), 1);
        scanner.expectEnd();
        return row;
    }

    /** Reads the members of an object after its bracket. */
    private void read(JsonScanner scanner, Optional<byte[]> parent, int depth) throws UndecodableRecordException {
        byte[] data = scanner.data();
        if (scanner.peek() == '}') {
            scanner.expect('}');
            parent.ifPresent(spelling -> add(spelling, Token.OBJECT, EMPTY_OBJECT, 0, EMPTY_OBJECT.length));
            return;
        }
        while (true) {
            scanner.expect('"');
            scanner.string();
            byte[] spelling = joined(parent, data, scanner.start(), scanner.stop());
            scanner.expect(':');
            Token token = scanner.value();
            if (token == Token.OBJECT) {
                read(scanner, Optional.of(spelling), scanner.deeper(depth));
            } else {
                if (token == Token.ARRAY) {
                    scanner.skipContainer(scanner.start(), scanner.deeper(depth));
                }
                add(spelling, token, data, scanner.start(), scanner.stop());
            }
            if (scanner.peek() == '}') {
                scanner.expect('}');
                return;
            }
            scanner.expect(',');
        }
    }

    private void add(byte[] spelling, Token token, byte[] data, int from, int to) {
        memory.hold(columns.size() + 1, nameBytes);
        columns.add(new Column(
                unescaped(spelling, 0, spelling.length).toLowerCase(Locale.ROOT), spelling, token, data, from, to));
    }

    private byte[] joined(Optional<byte[]> parent, byte[] data, int from, int to) throws UndecodableRecordException {
        int prefix = parent.map(bytes -> bytes.length + 1).orElse(0);
        byte[] joined = new byte[prefix + to - from];
        nameBytes += joined.length;
        if (nameBytes > MAX_NAME_BYTES) {
            throw new UndecodableRecordException(Reason.TOO_LARGE, "The names of the columns are too long together");
        }
        parent.ifPresent(bytes -> {
            System.arraycopy(bytes, 0, joined, 0, bytes.length);
            joined[bytes.length] = '.';
        });
        System.arraycopy(data, from, joined, prefix, to - from);
        return joined;
    }

    private static String unescaped(byte[] data, int from, int to) {
        if (isPlain(data, from, to)) {
            return new String(data, from, to - from, US_ASCII);
        }
        TextSink text = new TextSink();
        JsonText.unescape(data, from, to, text);
        return new String(text.array(), 0, text.length(), UTF_8);
    }

    private static boolean isPlain(byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            if (data[i] < 0 || data[i] == '\\') {
                return false;
            }
        }
        return true;
    }

    private static byte[] escaped(String text) {
        JsonComposer composer = new JsonComposer();
        composer.string(text);
        byte[] escaped = new byte[composer.length() - 2];
        System.arraycopy(composer.array(), 1, escaped, 0, escaped.length);
        return escaped;
    }

    boolean has(String name) {
        return indexOf(name) >= 0;
    }

    private int indexOf(String name) {
        String column = name.toLowerCase(Locale.ROOT);
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        return -1;
    }

    /** The text of a column: what a string says, other values as they are written. Empty if there is none. */
    Optional<String> text(String name) {
        int index = indexOf(name);
        if (index < 0 || columns.get(index).token() == Token.NULL) {
            return Optional.empty();
        }
        Column column = columns.get(index);
        return Optional.of(
                column.token() == Token.STRING
                        ? unescaped(column.data(), column.from(), column.to())
                        : new String(column.data(), column.from(), column.to() - column.from(), UTF_8));
    }

    /** Takes all columns of these names out. */
    void remove(Collection<String> names) {
        Set<String> removed =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        columns.removeIf(each -> removed.contains(each.name()));
    }

    /** Gives all columns of a name another one. */
    void rename(String from, String to) {
        String column = from.toLowerCase(Locale.ROOT);
        columns.replaceAll(each -> each.name().equals(column) ? each.named(to) : each);
    }

    /**
     * A row without columns.
     *
     * @param memory counts those that are put
     */
    static Row empty(RowMemory memory) {
        return new Row(memory);
    }

    /** Adds a column with text. */
    void put(String name, String value) {
        byte[] text = escaped(value);
        add(escaped(name), Token.STRING, text, 0, text.length);
    }

    /** Adds a column with a number, as JSON writes it. */
    void putNumber(String name, String number) {
        byte[] text = number.getBytes(UTF_8);
        add(escaped(name), Token.INTEGER, text, 0, text.length);
    }

    /** Adds the columns of another row that this one has not, or in the place of those that it has. */
    void putAll(Row other, boolean overwrite) {
        Set<String> names =
                (overwrite ? other : this).columns.stream().map(Column::name).collect(Collectors.toSet());
        List<Column> kept = new ArrayList<>();
        if (overwrite) {
            columns.stream().filter(each -> !names.contains(each.name())).forEach(kept::add);
            kept.addAll(other.columns);
        } else {
            kept.addAll(columns);
            other.columns.stream().filter(each -> !names.contains(each.name())).forEach(kept::add);
        }
        columns = kept;
    }

    /** Writes the row as a JSON object on one line. */
    void write(JsonComposer target) {
        target.reset();
        target.open('{');
        for (Column column : columns) {
            target.escapedName(column.spelling(), 0, column.spelling().length);
            if (column.token() == Token.STRING) {
                target.escapedString(column.data(), column.from(), column.to());
            } else {
                target.token(column.data(), column.from(), column.to());
            }
        }
        target.close('}');
    }
}
