package io.cordwood.gateway.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.JsonObjectReader;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The columns of a row: the members of a JSON object, those of objects within it under dotted names, as SQL shows them.
 * Values stay as they were written. Not thread-safe.
 */
final class Row {
    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private final List<Column> columns = new ArrayList<>();

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

    private Row() {}

    /**
     * Reads the columns of a row.
     *
     * @throws UndecodableRecordException unless it is one JSON object
     */
    static Row read(byte[] data, int from, int to) throws UndecodableRecordException {
        JsonScanner scanner = new JsonScanner();
        scanner.reset(data, from, to);
        if (scanner.peek() != '{') {
            throw scanner.unexpected("'{'");
        }
        scanner.value();
        int open = scanner.start();
        // The reader below wants text that was checked
        scanner.skipContainer(open, 1);
        scanner.expectEnd();
        Row row = new Row();
        row.read(scanner, open, new byte[0]);
        return row;
    }

    private void read(JsonScanner scanner, int open, byte[] parent) throws UndecodableRecordException {
        byte[] data = scanner.data();
        JsonObjectReader members = new JsonObjectReader(scanner, open);
        boolean isEmpty = true;
        while (members.next()) {
            isEmpty = false;
            byte[] spelling = joined(parent, data, members.nameStart(), members.nameStop());
            if (members.token() == Token.OBJECT) {
                read(scanner, members.start(), spelling);
            } else {
                add(spelling, members.token(), data, members.start(), members.stop());
            }
        }
        if (isEmpty && parent.length > 0) {
            add(parent, Token.OBJECT, EMPTY_OBJECT, 0, EMPTY_OBJECT.length);
        }
    }

    private void add(byte[] spelling, Token token, byte[] data, int from, int to) {
        columns.add(new Column(
                unescaped(spelling, 0, spelling.length).toLowerCase(Locale.ROOT), spelling, token, data, from, to));
    }

    private static byte[] joined(byte[] parent, byte[] data, int from, int to) {
        int dot = parent.length == 0 ? 0 : 1;
        byte[] joined = new byte[parent.length + dot + to - from];
        System.arraycopy(parent, 0, joined, 0, parent.length);
        if (dot > 0) {
            joined[parent.length] = '.';
        }
        System.arraycopy(data, from, joined, parent.length + dot, to - from);
        return joined;
    }

    private static String unescaped(byte[] data, int from, int to) {
        TextSink text = new TextSink();
        JsonText.unescape(data, from, to, text);
        return new String(text.array(), 0, text.length(), UTF_8);
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

    /** Takes all columns of a name out. */
    void remove(String name) {
        String column = name.toLowerCase(Locale.ROOT);
        columns.removeIf(each -> each.name().equals(column));
    }

    /** Gives a column another name. */
    void rename(String from, String to) {
        int index = indexOf(from);
        columns.set(index, columns.get(index).named(to));
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
        List<Column> added = new ArrayList<>();
        for (Column column : other.columns) {
            if (overwrite) {
                remove(column.name());
                added.add(column);
            } else if (!has(column.name())) {
                added.add(column);
            }
        }
        columns.addAll(added);
    }

    int size() {
        return columns.size();
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
