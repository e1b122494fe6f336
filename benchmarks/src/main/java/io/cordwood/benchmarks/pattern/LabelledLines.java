package io.cordwood.benchmarks.pattern;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * Lines with their known templates. Immutable.
 *
 * @param lines the lines
 * @param templates the template of each line
 */
record LabelledLines(List<String> lines, List<String> templates) {
    private static final String LINE = "Content";
    private static final String TEMPLATE = "EventId";
    private static final int SEED = 7;
    private static final int MAX_NUMBER = 100_000;
    private static final int BYTE = 256;

    /** Templates as an application may have them; a parameter is in braces. */
    private static final List<String> TEMPLATES = List.of(
            "connection from {ip} reset after {num} ms by peer",
            "user {name} logged in from {ip} session={hex}",
            "GET /api/v1/items/{num} HTTP/1.1 status={num} bytes={num} duration={num}.{num}",
            "{time} INFO worker-{num} finished job {uuid} in queue default",
            "cache miss for key {name}; loading {num} bytes from store",
            "Took {num}.{num} seconds to build instance {uuid}",
            "WARN retry {num} of {num} for {name}: timeout after {num} ms",
            "failed to open /var/lib/{name}/{num}.db: permission denied",
            "checkpoint complete");

    LabelledLines {
        lines = List.copyOf(lines);
        templates = List.copyOf(templates);
    }

    /**
     * Reads lines in the form of Loghub's labelled sets: CSV with a header, where the columns {@code Content} and
     * {@code EventId} have the line and its template.
     */
    static LabelledLines read(Path csv) throws IOException {
        List<String> rows = Files.readAllLines(csv);
        List<String> header = cells(rows.getFirst());
        int line = header.indexOf(LINE);
        int template = header.indexOf(TEMPLATE);
        if (line < 0 || template < 0) {
            throw new IOException("%s has no columns %s and %s".formatted(csv, LINE, TEMPLATE));
        }
        List<String> lines = new ArrayList<>();
        List<String> templates = new ArrayList<>();
        for (String row : rows.subList(1, rows.size())) {
            List<String> cells = cells(row);
            lines.add(cells.get(line));
            templates.add(cells.get(template));
        }
        return new LabelledLines(lines, templates);
    }

    /** The cells of a row; quotes within a quoted cell are doubled. */
    static List<String> cells(String row) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < row.length(); i++) {
            char c = row.charAt(i);
            if (c == '"' && isQuoted && i + 1 < row.length() && row.charAt(i + 1) == '"') {
                cell.append(c);
                i++;
            } else if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == ',' && !isQuoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }

    /** Generated lines; the same for the same count. */
    static LabelledLines generated(int count) {
        Random random = new Random(SEED);
        Map<String, UnaryOperator<String>> parameters = new HashMap<>();
        parameters.put("num", any -> Integer.toString(random.nextInt(MAX_NUMBER)));
        parameters.put("ip", any -> "10.0.%d.%d".formatted(random.nextInt(BYTE), random.nextInt(BYTE)));
        parameters.put("hex", any -> "%016x".formatted(random.nextLong()));
        parameters.put("uuid", any -> "%08x-1111-4222-8333-%012x".formatted(random.nextInt(), random.nextInt(BYTE)));
        parameters.put("time", any -> "2026-01-10T12:%02d:%02dZ".formatted(random.nextInt(60), random.nextInt(60)));
        parameters.put(
                "name",
                any -> Integer.toString(random.nextInt(MAX_NUMBER), Character.MAX_RADIX)
                        .replaceAll("[0-9]", "q"));
        List<String> lines = new ArrayList<>(count);
        List<String> templates = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String template = TEMPLATES.get(random.nextInt(TEMPLATES.size()));
            lines.add(fill(template, parameters));
            templates.add(template);
        }
        return new LabelledLines(lines, templates);
    }

    private static String fill(String template, Map<String, UnaryOperator<String>> parameters) {
        StringBuilder line = new StringBuilder();
        int end = 0;
        for (int begin = template.indexOf('{'); begin >= 0; begin = template.indexOf('{', end)) {
            line.append(template, end, begin);
            end = template.indexOf('}', begin) + 1;
            line.append(parameters.get(template.substring(begin + 1, end - 1)).apply(""));
        }
        return line.append(template, end, template.length()).toString();
    }
}
