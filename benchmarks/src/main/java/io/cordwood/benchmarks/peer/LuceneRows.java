package io.cordwood.benchmarks.peer;

import io.cordwood.benchmarks.data.MinuteRuns;
import io.cordwood.benchmarks.peer.Peer.Answer;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;

/**
 * Collects the values that a template needs from all matching rows, with a collector for each slice of the index.
 * Stateless.
 */
record LuceneRows(String template) implements CollectorManager<LuceneRows.Rows, Answer> {
    private static final int TOP = 10;

    @Override
    public Rows newCollector() {
        return new Rows(template);
    }

    @Override
    public Answer reduce(Collection<Rows> slices) {
        Answer sum = Answer.NOTHING;
        Set<String> groups = new HashSet<>();
        Map<Long, Long> minutes = new HashMap<>();
        for (Rows slice : slices) {
            sum = sum.plus(new Answer(slice.rows, 0));
            groups.addAll(slice.byValue.keySet());
            slice.byMinute.forEach((minute, count) -> minutes.merge(minute, count, Long::sum));
        }
        if (template.equals("Q8")) {
            return new Answer(Math.min(TOP, groups.size()), 0);
        }
        long checksum = 0;
        for (Map.Entry<Long, Long> minute : minutes.entrySet()) {
            checksum += Answer.checksum(minute.getKey(), minute.getValue());
        }
        return new Answer(sum.rows(), checksum);
    }

    /** Collects the rows of one slice. Not thread-safe. */
    static final class Rows implements Collector {
        private final String template;
        private final Map<String, Integer> byValue = new HashMap<>();
        private final Map<Long, Long> byMinute = new HashMap<>();
        private long rows;

        private Rows(String template) {
            this.template = template;
        }

        @Override
        public ScoreMode scoreMode() {
            return ScoreMode.COMPLETE_NO_SCORES;
        }

        @Override
        public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
            return switch (template) {
                case "Q7" -> new Minutes(DocValues.getSortedNumeric(leaf.reader(), "ts"));
                case "Q8" -> new Values(DocValues.getSortedSet(leaf.reader(), "ip"));
                default -> new Texts(leaf);
            };
        }

        private final class Minutes implements LeafCollector {
            private final SortedNumericDocValues times;
            private long minute = Long.MIN_VALUE;
            private long count;

            private Minutes(SortedNumericDocValues times) {
                this.times = times;
            }

            @Override
            public void setScorer(Scorable scorer) {}

            @Override
            public void collect(int doc) throws IOException {
                times.advanceExact(doc);
                long found = times.nextValue() / MinuteRuns.MINUTE_MICROS;
                // Rows were added nearly in time order.
                if (found != minute) {
                    flush();
                    minute = found;
                }
                count++;
            }

            @Override
            public void finish() {
                flush();
            }

            private void flush() {
                if (count > 0) {
                    byMinute.merge(minute, count, Long::sum);
                    rows += count;
                    count = 0;
                }
            }
        }

        private final class Values implements LeafCollector {
            private final SortedSetDocValues values;
            private final int[] byOrdinal;

            private Values(SortedSetDocValues values) {
                this.values = values;
                this.byOrdinal = new int[(int) values.getValueCount()];
            }

            @Override
            public void setScorer(Scorable scorer) {}

            @Override
            public void collect(int doc) throws IOException {
                values.advanceExact(doc);
                byOrdinal[(int) values.nextOrd()]++;
                rows++;
            }

            @Override
            public void finish() throws IOException {
                for (int ordinal = 0; ordinal < byOrdinal.length; ordinal++) {
                    if (byOrdinal[ordinal] > 0) {
                        byValue.merge(values.lookupOrd(ordinal).utf8ToString(), byOrdinal[ordinal], Integer::sum);
                    }
                }
            }
        }

        private final class Texts implements LeafCollector {
            private final StoredFields stored;
            private final SortedNumericDocValues times;
            private final SortedSetDocValues addresses;
            private final SortedSetDocValues apis;

            private Texts(LeafReaderContext leaf) throws IOException {
                stored = leaf.reader().storedFields();
                times = DocValues.getSortedNumeric(leaf.reader(), "ts");
                addresses = DocValues.getSortedSet(leaf.reader(), "ip");
                apis = DocValues.getSortedSet(leaf.reader(), "api");
            }

            @Override
            public void setScorer(Scorable scorer) {}

            @Override
            public void collect(int doc) throws IOException {
                rows++;
                stored.document(doc).get("log");
                if (!template.equals("Q1")) {
                    times.advanceExact(doc);
                    times.nextValue();
                }
                if (template.equals("Q2")) {
                    value(addresses, doc);
                    value(apis, doc);
                }
            }

            private static void value(SortedSetDocValues values, int doc) throws IOException {
                values.advanceExact(doc);
                values.lookupOrd(values.nextOrd());
            }
        }
    }
}
