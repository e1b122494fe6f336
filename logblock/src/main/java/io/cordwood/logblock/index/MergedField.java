package io.cordwood.logblock.index;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.XxHash64;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/**
 * The terms of one column, merged from the indexes of other LogBlocks and from new values. Rows and column blocks of
 * the others are shifted, so none of their values is read. Immutable once built.
 *
 * <p>A term in one dictionary may be rare in another LogBlock, where only its fingerprint is known. The dictionary then
 * has the rows that are known, and says that there may be others. A term that is rare in several LogBlocks stays rare,
 * with an entry for each. New values' terms are another such LogBlock.
 */
final class MergedField implements FieldTerms {
    /** So many rows are allocated at once, and more when they are needed. */
    private static final int MAX_FIRST_ROWS = 1 << 24;

    private static final int NOT_COPIED = Integer.MIN_VALUE;

    private final ByteSink arena = new ByteSink(1 << 16);
    private final IntList termEnds = new IntList();
    private final IntList rowEnds = new IntList();
    private final IntList alsoRare = new IntList();
    private final long[] rare;
    private int[] rows;
    private int rowsSize;

    /**
     * @param copied parts of other LogBlocks, in the order of their rows here
     * @param fresh terms of all other rows
     * @param blockStarts first row of each column block of the column in the file
     * @param maxRareRows maximum number of rows of a rare term
     */
    MergedField(List<CopiedTerms> copied, TermInverter fresh, int[] blockStarts, int maxRareRows) throws IOException {
        InvertedField others = new InvertedField(fresh, blockStarts, maxRareRows);
        Collection<List<CopiedTerms>> copiedBySource = copied.stream()
                .collect(groupingBy(CopiedTerms::source, LinkedHashMap::new, toList()))
                .values();
        rare = rareEntries(copiedBySource, others.rare());
        PriorityQueue<Source> sources = new PriorityQueue<>();
        long mostRows = others.rows().length;
        for (List<CopiedTerms> parts : copiedBySource) {
            mostRows += parts.getFirst().source().dictionaryRows();
            addNext(new CopiedSource(parts), sources);
        }
        addNext(new FreshSource(others), sources);
        rows = new int[(int) Math.min(mostRows, MAX_FIRST_ROWS)];
        List<Source> sameTerm = new ArrayList<>();
        while (!sources.isEmpty()) {
            sameTerm.clear();
            sameTerm.add(sources.poll());
            BytesRef term = sameTerm.getFirst().term;
            while (!sources.isEmpty() && sources.peek().term.equals(term)) {
                sameTerm.add(sources.poll());
            }
            add(term, sameTerm);
            for (Source source : sameTerm) {
                addNext(source, sources);
            }
        }
    }

    private static void addNext(Source source, PriorityQueue<Source> sources) throws IOException {
        if (source.next()) {
            sources.add(source);
        }
    }

    /** The entries of the rare terms in copied column blocks and of those of new values, sorted. */
    private static long[] rareEntries(Collection<List<CopiedTerms>> copiedBySource, long[] fresh) throws IOException {
        List<long[]> all = new ArrayList<>(List.of(fresh));
        for (List<CopiedTerms> parts : copiedBySource) {
            all.add(rareEntries(parts));
        }
        long[] entries = all.stream().flatMapToLong(Arrays::stream).toArray();
        Arrays.sort(entries);
        return entries;
    }

    /** @param parts all of one source */
    private static long[] rareEntries(List<CopiedTerms> parts) throws IOException {
        int[] shifts = new int[parts.getLast().toBlock()];
        Arrays.fill(shifts, NOT_COPIED);
        for (CopiedTerms part : parts) {
            Arrays.fill(shifts, part.fromBlock(), part.toBlock(), part.block() - part.fromBlock());
        }
        long[] entries = parts.getFirst().source().rareEntries();
        int size = 0;
        for (long entry : entries) {
            int block = FingerprintTable.block(entry);
            if (block < shifts.length && shifts[block] != NOT_COPIED) {
                entries[size++] = entry + shifts[block];
            }
        }
        return Arrays.copyOf(entries, size);
    }

    private void add(BytesRef term, List<Source> sources) throws IOException {
        int from = rowsSize;
        boolean isSorted = true;
        for (Source source : sources) {
            int start = rowsSize;
            source.addRows();
            isSorted &= start == from || start == rowsSize || rows[start - 1] < rows[start];
        }
        if (rowsSize == from) {
            return; // None of its rows was copied
        }
        if (!isSorted) {
            Arrays.sort(rows, from, rowsSize);
        }
        if (hasRareEntry(fingerprint(term))) {
            alsoRare.add(termEnds.size());
        }
        arena.write(term.bytes, term.offset, term.length);
        termEnds.add(arena.size());
        rowEnds.add(rowsSize);
    }

    private boolean hasRareEntry(int fingerprint) {
        int found = Arrays.binarySearch(rare, FingerprintTable.entry(fingerprint, 0));
        int at = found >= 0 ? found : -found - 1;
        return at < rare.length && FingerprintTable.fingerprint(rare[at]) == (fingerprint & 0xFFFFFFFFL);
    }

    private static int fingerprint(BytesRef term) {
        return (int) XxHash64.hash(term.bytes, term.offset, term.length);
    }

    private void addRow(int row) {
        if (rowsSize == rows.length) {
            rows = Arrays.copyOf(rows, rowsSize + (rowsSize >> 1) + 16);
        }
        rows[rowsSize++] = row;
    }

    /** Terms in order, each with rows. */
    private abstract static class Source implements Comparable<Source> {
        /** The current term. */
        BytesRef term = new BytesRef();

        /** Moves to the next term, if there is one. */
        abstract boolean next() throws IOException;

        /** Adds the rows of the current term. */
        abstract void addRows() throws IOException;

        @Override
        public final int compareTo(Source other) {
            return term.compareTo(other.term);
        }
    }

    /** The dictionary of another LogBlock. */
    private final class CopiedSource extends Source {
        private final List<CopiedTerms> parts;
        private final TermsEnum terms;
        private PostingsEnum postings;

        CopiedSource(List<CopiedTerms> parts) throws IOException {
            this.parts = parts;
            this.terms = parts.getFirst().source().dictionary().isPresent()
                    ? parts.getFirst().source().dictionary().get().iterator()
                    : TermsEnum.EMPTY;
        }

        @Override
        boolean next() throws IOException {
            term = terms.next();
            return term != null;
        }

        @Override
        void addRows() throws IOException {
            postings = terms.postings(postings, PostingsEnum.NONE);
            int document = postings.nextDoc();
            if (document == Documents.ALSO_RARE) {
                document = postings.nextDoc();
            }
            for (int i = 0; i < parts.size() && document != PostingsEnum.NO_MORE_DOCS; i++) {
                CopiedTerms part = parts.get(i);
                int first = Documents.ofRow(part.fromRow());
                if (document < first) {
                    document = postings.advance(first);
                }
                for (int end = Documents.ofRow(part.toRow()); document < end; document = postings.nextDoc()) {
                    addRow(Documents.row(document) - part.fromRow() + part.row());
                }
            }
        }
    }

    /** The new values' terms. */
    private final class FreshSource extends Source {
        private final InvertedField terms;
        private int position = -1;

        FreshSource(InvertedField terms) {
            this.terms = terms;
        }

        @Override
        boolean next() {
            position++;
            if (position == terms.termCount()) {
                return false;
            }
            terms.term(position, term);
            return true;
        }

        @Override
        void addRows() {
            int from = terms.rowsStart(position);
            for (int i = from; i < from + terms.rowCount(position); i++) {
                addRow(terms.rows()[i]);
            }
        }
    }

    @Override
    public int termCount() {
        return termEnds.size();
    }

    @Override
    public void term(int i, BytesRef result) {
        int start = i == 0 ? 0 : termEnds.at(i - 1);
        result.bytes = arena.bytes();
        result.offset = start;
        result.length = termEnds.at(i) - start;
    }

    @Override
    public int rowCount(int i) {
        return rowEnds.at(i) - rowsStart(i);
    }

    @Override
    public int[] rows() {
        return rows;
    }

    @Override
    public int rowsStart(int i) {
        return i == 0 ? 0 : rowEnds.at(i - 1);
    }

    @Override
    public boolean isAlsoRare(int i) {
        return alsoRare.find(i) >= 0;
    }

    @Override
    public long[] rare() {
        return rare;
    }
}
