package io.cordwood.logblock.index;

import java.io.IOException;
import java.util.Iterator;
import java.util.SortedMap;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/** An adapter of inverted columns for Lucene's codec, which reads their arrays without a copy. Not thread-safe. */
final class InvertedFields extends Fields {
    private final SortedMap<String, FieldTerms> fields;

    InvertedFields(SortedMap<String, FieldTerms> fields) {
        this.fields = fields;
    }

    @Override
    public Iterator<String> iterator() {
        return fields.keySet().iterator();
    }

    @Override
    public Terms terms(String name) {
        return new ColumnTerms(fields.get(name));
    }

    @Override
    public int size() {
        return fields.size();
    }

    private static int documentCount(FieldTerms field, int term) {
        return field.rowCount(term) + (field.isAlsoRare(term) ? 1 : 0);
    }

    private static final class ColumnTerms extends Terms {
        private final FieldTerms field;

        ColumnTerms(FieldTerms field) {
            this.field = field;
        }

        @Override
        public TermsEnum iterator() {
            return new ColumnTermsEnum(field);
        }

        @Override
        public long size() {
            return field.termCount();
        }

        @Override
        public long getSumTotalTermFreq() {
            return getSumDocFreq();
        }

        @Override
        public long getSumDocFreq() {
            long sum = 0;
            for (int i = 0; i < field.termCount(); i++) {
                sum += documentCount(field, i);
            }
            return sum;
        }

        @Override
        public int getDocCount() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean hasFreqs() {
            return false;
        }

        @Override
        public boolean hasOffsets() {
            return false;
        }

        @Override
        public boolean hasPositions() {
            return false;
        }

        @Override
        public boolean hasPayloads() {
            return false;
        }
    }

    /** An enumeration of the terms in order; a codec never seeks. */
    private static final class ColumnTermsEnum extends BaseTermsEnum {
        private final FieldTerms field;
        private final BytesRef term = new BytesRef();
        private int position = -1;

        ColumnTermsEnum(FieldTerms field) {
            this.field = field;
        }

        @Override
        public BytesRef next() {
            if (++position == field.termCount()) {
                return null;
            }
            field.term(position, term);
            return term;
        }

        @Override
        public BytesRef term() {
            return term;
        }

        @Override
        public int docFreq() {
            return documentCount(field, position);
        }

        @Override
        public long totalTermFreq() {
            return docFreq();
        }

        @Override
        public PostingsEnum postings(PostingsEnum reuse, int flags) {
            RowsEnum rows = reuse instanceof RowsEnum reusable ? reusable : new RowsEnum();
            rows.reset(field.rows(), field.rowsStart(position), field.rowCount(position), field.isAlsoRare(position));
            return rows;
        }

        @Override
        public SeekStatus seekCeil(BytesRef text) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void seekExact(long ord) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long ord() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ImpactsEnum impacts(int flags) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class RowsEnum extends PostingsEnum {
        private int[] rows = new int[0];
        private int next;
        private int end;
        private boolean isAlsoRare;
        private int document = -1;

        void reset(int[] allRows, int from, int count, boolean alsoRare) {
            rows = allRows;
            next = from;
            end = from + count;
            isAlsoRare = alsoRare;
            document = -1;
        }

        @Override
        public int nextDoc() {
            if (isAlsoRare) {
                isAlsoRare = false;
                document = Documents.ALSO_RARE;
            } else {
                document = next == end ? NO_MORE_DOCS : Documents.ofRow(rows[next++]);
            }
            return document;
        }

        @Override
        public int docID() {
            return document;
        }

        @Override
        public int advance(int target) throws IOException {
            return slowAdvance(target);
        }

        @Override
        public long cost() {
            return (long) end - next;
        }

        @Override
        public int freq() {
            return 1;
        }

        @Override
        public int nextPosition() {
            return -1;
        }

        @Override
        public int startOffset() {
            return -1;
        }

        @Override
        public int endOffset() {
            return -1;
        }

        @Override
        public BytesRef getPayload() {
            return null;
        }
    }
}
