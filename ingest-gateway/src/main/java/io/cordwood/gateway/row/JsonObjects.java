package io.cordwood.gateway.row;

import io.cordwood.gateway.send.LineBatches;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;

/**
 * Takes JSON objects out of a body, checked as the ingest job will check them, so that a client hears at once of a row
 * that nobody can read. Not thread-safe.
 */
public final class JsonObjects {
    private final JsonScanner scanner = new JsonScanner();

    /** Takes the objects of an array. */
    @FunctionalInterface
    public interface Elements {
        /**
         * Takes an element.
         *
         * @param number from 1
         * @param isObject whether it is an object; anything else is no row
         */
        void add(int number, byte[] data, int from, int to, boolean isObject);
    }

    /**
     * Checks one object.
     *
     * @throws UndecodableRecordException unless the bytes are one object and nothing else
     */
    public void requireObject(byte[] data, int from, int to) throws UndecodableRecordException {
        scanner.reset(data, from, to);
        if (scanner.peek() != '{') {
            throw scanner.unexpected("'{'");
        }
        scanner.value();
        scanner.skipContainer(scanner.start(), 1);
        scanner.expectEnd();
    }

    /**
     * Visits the elements of an array.
     *
     * @throws UndecodableRecordException if the bytes are not one array; elements before the error were visited
     */
    public void forEach(byte[] data, int from, int to, Elements elements) throws UndecodableRecordException {
        scanner.reset(data, from, to);
        scanner.expect('[');
        if (scanner.peek() == ']') {
            scanner.position(scanner.position() + 1);
            scanner.expectEnd();
            return;
        }
        int number = 0;
        while (true) {
            scanner.peek();
            int start = scanner.position();
            Token token = scanner.value();
            if (token == Token.OBJECT || token == Token.ARRAY) {
                scanner.skipContainer(scanner.start(), 2);
            }
            number++;
            elements.add(number, data, start, scanner.position(), token == Token.OBJECT);
            if (scanner.peek() == ']') {
                scanner.position(scanner.position() + 1);
                scanner.expectEnd();
                return;
            }
            scanner.expect(',');
        }
    }

    /** Adds an object that may have ends of lines between its tokens. */
    public static void addOnOneLine(LineBatches target, byte[] data, int from, int to) {
        int at = from;
        while (at < to && data[at] != '\n') {
            at++;
        }
        if (at == to) {
            target.add(data, from, to);
            return;
        }
        byte[] line = new byte[to - from];
        for (int i = from; i < to; i++) {
            line[i - from] = data[i] == '\n' ? (byte) ' ' : data[i];
        }
        target.add(line, 0, line.length);
    }
}
