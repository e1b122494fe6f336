package io.cordwood.query.pattern;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A parameter of a log line, by its form. In a signature it is one byte, of those that UTF-8 never uses.
 *
 * <p>Drain, section III.B, replaces parameters of known forms before it parses; there they are regular expressions.
 */
enum Placeholder {
    NUMBER(0xF8, "<num>"),
    HEX(0xF9, "<hex>"),
    UUID(0xFA, "<uuid>"),
    IP(0xFB, "<ip>"),
    TIME(0xFC, "<time>"),
    /** Any token: where the lines of a group differ. */
    ANY(0xFD, "<*>"),
    /** The rest of a line that is too long. */
    REST(0xFE, "<...>");

    /** The first byte that occurs in no UTF-8. */
    private static final int FIRST_CODE = 0xF8;

    private static final List<Placeholder> BY_CODE = Stream.of(values())
            .sorted(Comparator.comparingInt(placeholder -> placeholder.code))
            .toList();

    private final int code;
    private final String shown;
    private final String token;

    Placeholder(int code, String shown) {
        this.code = code;
        this.shown = shown;
        this.token = String.valueOf((char) code);
    }

    /** Its byte in a signature. */
    byte code() {
        return (byte) code;
    }

    /** The token that is this placeholder, and nothing else. */
    String token() {
        return token;
    }

    /** How a template shows it. */
    String shown() {
        return shown;
    }

    /** Whether a byte, as an unsigned number, stands for a placeholder. */
    static boolean isCode(int code) {
        return code >= FIRST_CODE;
    }

    /** @param code a code of a placeholder, as an unsigned number */
    static Placeholder ofCode(int code) {
        return BY_CODE.get(code - FIRST_CODE);
    }
}
