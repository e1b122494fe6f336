package io.cordwood.logblock.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.encoding.XxHash64;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class InvertedFieldTest {
    private static final int[] BLOCK_STARTS = {0, 100, 200};

    private final TermInverter terms = new TermInverter();

    @Test
    void fewRowsOfOneBlockAreRare() {
        add("everywhere", 5);
        add("two blocks", 99);
        add("one row", 100);
        add("two blocks", 100);
        add("three rows", 120);
        add("three rows", 121);
        add("everywhere", 150);
        add("three rows", 199);
        add("everywhere", 250);

        InvertedField field = new InvertedField(terms, BLOCK_STARTS, 3);

        assertThat(dictionary(field)).containsExactly("everywhere", "two blocks");
        assertThat(field.rare()).containsExactlyInAnyOrder(entry("one row", 1), entry("three rows", 1));
    }

    @Test
    void manyRowsOfOneBlockAreNotRare() {
        for (int row = 200; row < 204; row++) {
            add("four rows", row);
        }
        add("last block", 299);

        InvertedField field = new InvertedField(terms, BLOCK_STARTS, 3);

        assertThat(dictionary(field)).containsExactly("four rows");
        assertThat(field.rare()).containsExactly(entry("last block", 2));
    }

    @Test
    void rowsUpToTheMaximumAreRare() {
        for (int row = 0; row < 3; row++) {
            add("three rows", row);
        }

        assertThat(new InvertedField(terms, BLOCK_STARTS, 3).rare()).containsExactly(entry("three rows", 0));
        assertThat(dictionary(new InvertedField(terms, BLOCK_STARTS, 2))).containsExactly("three rows");
    }

    private void add(String term, int row) {
        byte[] bytes = term.getBytes(UTF_8);
        terms.add(terms.term(bytes, 0, bytes.length), row);
    }

    private static long entry(String term, int block) {
        byte[] bytes = term.getBytes(UTF_8);
        return FingerprintTable.entry((int) XxHash64.hash(bytes, 0, bytes.length), block);
    }

    private static List<String> dictionary(InvertedField field) {
        List<String> found = new ArrayList<>();
        BytesRef term = new BytesRef();
        for (int i = 0; i < field.termCount(); i++) {
            field.term(i, term);
            found.add(term.utf8ToString());
        }
        return found;
    }
}
