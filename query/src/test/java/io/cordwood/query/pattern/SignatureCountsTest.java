package io.cordwood.query.pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Patterns depend on the lines alone, count each line once, and are as pure as generated templates let them be. */
class SignatureCountsTest {
    private static final long ALL = 1 << 24;
    private static final int SAMPLE = 500;

    /** Counts the lines in their order, divided among counters that are then added up. */
    private static LogPatterns patterns(List<SampleLines.Line> lines, long maxBytes, int parts, int limit) {
        List<SignatureCounts> counts = IntStream.range(0, parts)
                .mapToObj(i -> new SignatureCounts(maxBytes, SAMPLE))
                .toList();
        for (int i = 0; i < lines.size(); i++) {
            SampleLines.add(counts.get(i % parts), lines.get(i));
        }
        SignatureCounts total = counts.getFirst();
        counts.subList(1, parts).forEach(total::add);
        Templates templates = total.mine(() -> {});
        if (total.isComplete()) {
            return total.count(templates, () -> {}).patterns(limit);
        }
        TemplateCounts again = new TemplateCounts(templates);
        lines.forEach(line -> SampleLines.add(again, line));
        return again.patterns(limit);
    }

    @Property(tries = 30)
    void theOrderOfLinesAndTheirDivisionChangeNothing(@ForAll long seed) {
        Random random = new Random(seed);
        List<SampleLines.Line> lines = SampleLines.lines(random, 40, 3000);
        for (long maxBytes : List.of(ALL, 20_000L)) {
            LogPatterns expected = patterns(lines, maxBytes, 1, 1000);
            for (int parts : List.of(1, 2, 7)) {
                List<SampleLines.Line> shuffled = new ArrayList<>(lines);
                Collections.shuffle(shuffled, random);
                assertThat(patterns(shuffled, maxBytes, parts, 1000))
                        .as("%d bytes, %d parts", maxBytes, parts)
                        .isEqualTo(expected);
            }
        }
    }

    @Property(tries = 30)
    void eachLineIsCountedOnce(@ForAll long seed) {
        List<SampleLines.Line> lines = SampleLines.lines(new Random(seed), 40, 3000);
        long before = lines.stream()
                .filter(line -> line.micros() < SampleLines.FROM_MICROS)
                .count();
        for (long maxBytes : List.of(ALL, 20_000L)) {
            for (int limit : List.of(5, 1000)) {
                LogPatterns patterns = patterns(lines, maxBytes, 2, limit);
                assertThat(patterns.rows()).isEqualTo(lines.size() - before);
                assertThat(patterns.before()).isEqualTo(before);
                assertThat(patterns.patterns().stream()
                                        .mapToLong(LogPattern::count)
                                        .sum()
                                + patterns.others().count())
                        .isEqualTo(patterns.rows());
                assertThat(patterns.patterns().stream()
                                        .mapToLong(LogPattern::before)
                                        .sum()
                                + patterns.others().before())
                        .isEqualTo(before);
            }
        }
    }

    /** Purity: the share of lines whose template is the most frequent one of their pattern; and the other way round. */
    @Property(tries = 30)
    void generatedTemplatesAreFound(@ForAll long seed) {
        List<SampleLines.Line> lines = SampleLines.lines(new Random(seed), 40, 5000);
        SignatureCounts counts = new SignatureCounts();
        lines.forEach(line -> SampleLines.add(counts, line));
        Templates templates = counts.mine(() -> {});
        Map<SampleLines.Line, String> patterns = new HashMap<>();
        lines.forEach(line -> patterns.put(line, pattern(templates, line.text())));
        assertThat(purity(lines, line -> patterns.get(line), SampleLines.Line::template))
                .isGreaterThan(0.99);
        assertThat(purity(lines, SampleLines.Line::template, line -> patterns.get(line)))
                .isGreaterThan(0.9);
    }

    private static String pattern(Templates templates, String line) {
        byte[] bytes = line.getBytes(UTF_8);
        return templates.template(bytes, 0, bytes.length).orElseThrow();
    }

    private static <A, B> double purity(
            List<SampleLines.Line> lines, Function<SampleLines.Line, A> group, Function<SampleLines.Line, B> label) {
        long pure = lines.stream()
                .collect(Collectors.groupingBy(group, Collectors.groupingBy(label, Collectors.counting())))
                .values()
                .stream()
                .mapToLong(labels -> Collections.max(labels.values()))
                .sum();
        return (double) pure / lines.size();
    }

    @Test
    void countsTimesAndSample() {
        SignatureCounts counts = new SignatureCounts();
        add(counts, "user 5 left", 10, true);
        add(counts, "user 7 left", 30, false);
        add(counts, "user 8 left", 20, false);
        add(counts, "user 6 left", 20, false);
        add(counts, "gone now", 15, true);
        add(counts, "", 40, false);
        add(counts, " \t", 41, false);
        counts.addWithoutText(false);
        counts.addWithoutText(true);
        LogPatterns patterns = counts.count(counts.mine(() -> {}), () -> {}).patterns(10);
        assertThat(patterns)
                .isEqualTo(new LogPatterns(
                        List.of(
                                new LogPattern("user <num> left", 3, 1, 20, 30, "user 6 left"),
                                new LogPattern("", 2, 0, 40, 41, "")),
                        new LogPatterns.Others(0, 0, 1),
                        new LogPatterns.Others(0, 1, 1),
                        6,
                        3,
                        false));
    }

    @Test
    void aTokenWithManyValuesIsAParameter() {
        SignatureCounts counts = new SignatureCounts();
        Random random = new Random(1);
        for (int i = 0; i < 30; i++) {
            add(counts, SampleLines.word(random, 5) + " logged in", i, false);
            add(counts, "deleted " + SampleLines.word(random, 5), i, false);
        }
        add(counts, "job started", 1, false);
        add(counts, "job stopped", 1, false);
        assertThat(counts.count(counts.mine(() -> {}), () -> {}).patterns(10).patterns())
                .extracting(LogPattern::template)
                .containsExactlyInAnyOrder("<*> logged in", "deleted <*>", "job started", "job stopped");
    }

    @Test
    void aWordWithFewValuesIsNoParameter() {
        SignatureCounts counts = new SignatureCounts();
        for (String state : List.of("started", "stopped", "failed")) {
            add(counts, "service web-7 of the shop has " + state + " now", 0, false);
            add(counts, "service web-7 has used disk " + state + 5 + " for its queue", 0, false);
        }
        for (String user : List.of("ann", "bob", "eve", "tom")) {
            add(counts, "service web-7 has served its user " + user, 0, false);
        }
        assertThat(counts.count(counts.mine(() -> {}), () -> {}).patterns(10).patterns())
                .extracting(LogPattern::template)
                .containsExactly(
                        "service web-<num> has served its user <*>",
                        "service web-<num> has used disk <*> for its queue",
                        "service web-<num> of the shop has failed now",
                        "service web-<num> of the shop has started now",
                        "service web-<num> of the shop has stopped now");
    }

    @Test
    void listsOfAnyLengthHaveOnePattern() {
        SignatureCounts counts = new SignatureCounts();
        add(counts, "blocks 1, 2, 3 removed", 0, false);
        add(counts, "blocks 1, 2, 3, 4, 5 removed", 0, false);
        add(counts, "moved 1 of 2", 0, false);
        assertThat(counts.count(counts.mine(() -> {}), () -> {}).patterns(10).patterns())
                .extracting(LogPattern::template)
                .containsExactly("blocks <*> removed", "moved <num> of <num>");
    }

    @Test
    void templatesAreBounded() {
        SignatureCounts counts = new SignatureCounts(1 << 30, SAMPLE);
        int lines = ParseTree.MAX_GROUPS + 500;
        for (int i = 0; i < lines; i++) {
            // Of as many layouts
            add(counts, "x" + ",;|".repeat(1 + i % 100) + "y" + "|;,".repeat(1 + i / 100) + "z", i, false);
        }
        LogPatterns patterns = counts.count(counts.mine(() -> {}), () -> {}).patterns(20_000);
        assertThat(patterns.patterns()).hasSize(ParseTree.MAX_GROUPS);
        assertThat(patterns.isApproximate()).isTrue();
        assertThat(patterns.others()).isEqualTo(new LogPatterns.Others(0, 500, 0));
    }

    @Test
    void beyondTheMemoryPatternsAreOfASample() {
        Random random = new Random(4);
        SignatureCounts counts = new SignatureCounts(100_000, SAMPLE);
        List<SampleLines.Line> lines = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            lines.add(new SampleLines.Line(0, i, "cannot open " + SampleLines.word(random, 8) + " as it is locked"));
            lines.add(new SampleLines.Line(1, i, "all is well"));
        }
        lines.forEach(line -> SampleLines.add(counts, line));
        assertThat(counts.isComplete()).isFalse();
        Templates templates = counts.mine(() -> {});
        assertThatThrownBy(() -> counts.count(templates, () -> {})).isInstanceOf(IllegalStateException.class);
        TemplateCounts again = new TemplateCounts(templates);
        lines.forEach(line -> SampleLines.add(again, line));
        assertThat(again.patterns(10).patterns())
                .extracting(LogPattern::template, LogPattern::count)
                .containsExactly(tuple("all is well", 19_700L), tuple("cannot open <*> as it is locked", 19_700L));
    }

    /** Not the first line counts, which changes from a long one to a short one. */
    @Test
    void theMemoryThatCountsDoesNotDependOnTheOrder() {
        SignatureCounts longFirst = new SignatureCounts(350, SAMPLE);
        add(longFirst, "took " + "7".repeat(200), 2, false);
        add(longFirst, "took 7", 1, false);
        SignatureCounts shortFirst = new SignatureCounts(350, SAMPLE);
        add(shortFirst, "took 7", 1, false);
        add(shortFirst, "took " + "7".repeat(200), 2, false);
        assertThat(longFirst.isComplete()).isFalse();
        assertThat(shortFirst.isComplete()).isFalse();
        SignatureCounts roomy = new SignatureCounts(450, SAMPLE);
        add(roomy, "took " + "7".repeat(200), 2, false);
        assertThat(roomy.isComplete()).isTrue();
    }

    @Test
    void aCutSampleHasWholeCharacters() {
        for (String character : List.of("a", "ä", "日", "\ud83d\ude00")) {
            for (int shift = 0; shift < 4; shift++) {
                SignatureCounts counts = new SignatureCounts();
                String line = "-".repeat(shift) + character.repeat(600);
                add(counts, line, 0, false);
                String sample = counts.count(counts.mine(() -> {}), () -> {})
                        .patterns(1)
                        .patterns()
                        .getFirst()
                        .sample();
                assertThat(line).startsWith(sample);
                assertThat(sample.getBytes(UTF_8).length)
                        .isBetween(LineTotals.MAX_SAMPLE_BYTES - 3, LineTotals.MAX_SAMPLE_BYTES);
            }
        }
    }

    private static void add(LineCounter counter, String text, long micros, boolean isBefore) {
        byte[] bytes = ("#" + text + "#").getBytes(UTF_8);
        counter.add(bytes, 1, bytes.length - 1, micros, isBefore);
    }

    /** The work takes long for lines that have nothing in common. Each of its steps must heed the limit. */
    @Test
    void eachStepOfTheWorkEndsAtTheLimit() {
        SignatureCounts counts = new SignatureCounts();
        for (int i = 0; i < 300; i++) {
            byte[] line = "word%s has value%s in it"
                    .formatted(letters(i), letters(7 * i))
                    .getBytes(UTF_8);
            counts.add(line, 0, line.length, i, false);
        }
        AtomicInteger checks = new AtomicInteger();
        Templates templates = counts.mine(checks::incrementAndGet);
        assertThat(checks.get()).isGreaterThan(3 * 300);
        counts.count(templates, checks::incrementAndGet);
        int all = checks.get();
        for (int limit = 0; limit < all; limit++) {
            AtomicInteger left = new AtomicInteger(limit);
            Runnable check = () -> {
                if (left.getAndDecrement() == 0) {
                    throw new IllegalStateException("The time is up");
                }
            };
            assertThatThrownBy(() -> counts.count(counts.mine(check), check)).hasMessage("The time is up");
        }
    }

    private static String letters(int number) {
        return Integer.toString(number, 26)
                .chars()
                .mapToObj(c -> Character.toString((Character.isDigit(c) ? c - '0' : c - 'a' + 10) + 'a'))
                .collect(Collectors.joining());
    }
}
