package io.cordwood.query.pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;

/** Lines of random templates, which are known. */
final class SampleLines {
    private static final List<BiFunction<Random, Integer, String>> PARAMETERS = List.of(
            (random, any) -> Integer.toString(random.nextInt(1_000_000)),
            (random, any) -> "10.%d.%d.%d".formatted(random.nextInt(256), random.nextInt(256), random.nextInt(256)),
            (random, any) -> "%08x-1111-4222-8333-%012x".formatted(random.nextInt(), random.nextInt(1 << 30)),
            (random, any) -> "%016x".formatted(random.nextLong() | 0xA000_0000_0000_0001L),
            (random, any) -> "2026-01-10T12:%02d:%02dZ".formatted(random.nextInt(60), random.nextInt(60)),
            SampleLines::name);

    private SampleLines() {}

    /** @param template number of its template */
    record Line(int template, long micros, String text) {}

    /** A name, one of some hundred. */
    private static String name(Random random, int length) {
        return word(new Random(random.nextInt(300)), length);
    }

    static String word(Random random, int length) {
        return random.ints(length, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /**
     * Lines of templates with four to nine words, of which at most a third are parameters; a word occurs in one
     * template only.
     */
    static List<Line> lines(Random random, int templates, int count) {
        List<List<BiFunction<Random, Integer, String>>> words = new ArrayList<>();
        for (int i = 0; i < templates; i++) {
            List<BiFunction<Random, Integer, String>> line = new ArrayList<>();
            int length = 4 + random.nextInt(6);
            int parameters = random.nextInt(length / 3 + 1);
            for (int w = 0; w < length; w++) {
                String constant = word(random, 3 + random.nextInt(6)) + word(random, 2);
                line.add((any, none) -> constant);
            }
            for (int p = 0; p < parameters; p++) {
                line.set(random.nextInt(length), PARAMETERS.get(random.nextInt(PARAMETERS.size())));
            }
            words.add(line);
        }
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            // Some templates are far more frequent than others
            int template = Math.min(random.nextInt(templates), random.nextInt(templates));
            lines.add(new Line(
                    template,
                    random.nextInt(1000),
                    String.join(
                            " ",
                            words.get(template).stream()
                                    .map(word -> word.apply(random, 6))
                                    .toList())));
        }
        return lines;
    }

    /** Lines with a time below this are of the time before. */
    static final long FROM_MICROS = 300;

    static void add(LineCounter counter, Line line) {
        byte[] bytes = line.text().getBytes(UTF_8);
        counter.add(bytes, 0, bytes.length, line.micros(), line.micros() < FROM_MICROS);
    }
}
