package io.cordwood.logblock.match;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Tables of token characters and their lower case. They are the project's own, because JDKs differ and a LogBlock is
 * read for years.
 */
final class UnicodeTables {
    /** Version of the tables and of the rules of {@link Tokenizer}; a LogBlock's index records it. */
    static final int VERSION = 1;

    static final byte SEPARATOR = 0;
    static final byte TOKEN = 1;
    static final byte HAN = 2;

    private static final byte HAS_LOWER = 4;
    private static final byte[] KINDS = new byte[Character.MAX_CODE_POINT + 1];
    private static final Map<Integer, Integer> LOWER = new HashMap<>();

    static {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(UnicodeTables.class.getResourceAsStream("unicode-16.txt"), US_ASCII))) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(UnicodeTables::load);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private UnicodeTables() {}

    private static void load(String line) {
        String[] parts = line.split(" ", -1);
        int from = Integer.parseInt(parts[1], 16);
        int to = Integer.parseInt(parts[2], 16);
        switch (parts[0]) {
            case "T" -> Arrays.fill(KINDS, from, to + 1, TOKEN);
            case "H" -> Arrays.fill(KINDS, from, to + 1, HAN);
            case "L" -> {
                int delta = Integer.parseInt(parts[3]);
                int step = Integer.parseInt(parts[4]);
                for (int c = from; c <= to; c += step) {
                    KINDS[c] |= HAS_LOWER;
                    LOWER.put(c, c + delta);
                }
            }
            default -> throw new IllegalStateException("Unknown line in the Unicode tables: " + line);
        }
    }

    /** {@link #SEPARATOR}, {@link #TOKEN} or {@link #HAN}. */
    static int kind(int codePoint) {
        return KINDS[codePoint] & ~HAS_LOWER;
    }

    static int lower(int codePoint) {
        return (KINDS[codePoint] & HAS_LOWER) == 0 ? codePoint : LOWER.get(codePoint);
    }
}
