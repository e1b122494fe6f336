package io.cordwood.benchmarks.peer;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.RequestRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;

/**
 * Lucene with its defaults, which is TencentCLS's baseline (section 5.1): not sorted, numbers in BKD trees and doc
 * values, keywords inverted and in doc values, {@code log} tokenised with positions and stored. One index over all
 * tenants. Not thread-safe.
 */
public final class LucenePeer implements Peer {
    private static final double BUFFER_MEGABYTES = 256;

    private final FSDirectory directory;
    private final boolean oneTenant;
    /** The caller also searches. */
    private final ExecutorService workers = Executors.newFixedThreadPool(EnginePeer.THREADS - 1);

    private final IndexWriter writer;
    private DirectoryReader reader;
    private IndexSearcher searcher;

    private LucenePeer(FSDirectory directory, boolean oneTenant) throws IOException {
        this.directory = directory;
        this.oneTenant = oneTenant;
        this.writer = new IndexWriter(
                directory, new IndexWriterConfig(new StandardAnalyzer()).setRAMBufferSizeMB(BUFFER_MEGABYTES));
    }

    /**
     * Creates an empty index.
     *
     * @param oneTenant whether it holds the rows of only one tenant, so that queries need no condition on the tenant
     */
    public static LucenePeer in(Path path, boolean oneTenant) throws IOException {
        return new LucenePeer(FSDirectory.open(path), oneTenant);
    }

    public void add(RequestRow row) throws IOException {
        Document document = new Document();
        document.add(new KeywordField("tenant", row.tenant(), Field.Store.NO));
        document.add(new LongField("ts", row.ts(), Field.Store.NO));
        document.add(new KeywordField("ip", row.ip(), Field.Store.NO));
        document.add(new KeywordField("api", row.api(), Field.Store.NO));
        document.add(new LongField("latency", row.latency(), Field.Store.NO));
        document.add(new KeywordField("fail", Boolean.toString(row.fail()), Field.Store.NO));
        document.add(new TextField("log", row.log(), Field.Store.YES));
        writer.addDocument(document);
    }

    /** Ends adding, waits for merges and opens the index. Call it once, before the first query. */
    public LucenePeer finish() throws IOException {
        writer.close();
        reader = DirectoryReader.open(directory);
        searcher = new IndexSearcher(reader, workers);
        return this;
    }

    @Override
    public String name() {
        return "lucene_bkd";
    }

    @Override
    public Run ask(BenchQuery query) throws IOException {
        long start = System.nanoTime();
        return Run.since(start, answer(query));
    }

    private Answer answer(BenchQuery query) throws IOException {
        return switch (query.template()) {
            case "Q5" -> firstRows(query, true);
            case "Q6" -> firstRows(query, false);
            default -> searcher.search(query(query), new LuceneRows(query.template()));
        };
    }

    private Answer firstRows(BenchQuery query, boolean newestFirst) throws IOException {
        int limit = query.parameters().get("limit").asInt();
        Sort byTime = new Sort(new SortedNumericSortField("ts", SortField.Type.LONG, newestFirst));
        ScoreDoc[] found = searcher.search(query(query), limit, byTime).scoreDocs;
        long checksum = 0;
        for (ScoreDoc row : found) {
            searcher.storedFields().document(row.doc).get("log");
            checksum += Answer.checksum((long) ((FieldDoc) row).fields[0], 1);
        }
        return new Answer(found.length, checksum);
    }

    private Query query(BenchQuery query) {
        JsonNode parameters = query.parameters();
        BooleanQuery.Builder all = new BooleanQuery.Builder();
        all.add(LongField.newRangeQuery("ts", query.fromMicros(), query.toMicros() - 1), Occur.FILTER);
        if (!oneTenant) {
            all.add(KeywordField.newExactQuery("tenant", query.tenant()), Occur.FILTER);
        }
        switch (query.template()) {
            case "Q1" ->
                all.add(KeywordField.newExactQuery("ip", parameters.get("ip").asText()), Occur.FILTER)
                        .add(
                                LongField.newRangeQuery(
                                        "latency", parameters.get("latency").asLong(), Long.MAX_VALUE),
                                Occur.FILTER)
                        .add(KeywordField.newExactQuery("fail", "false"), Occur.FILTER);
            case "Q3" ->
                all.add(token(parameters.get("token")), Occur.FILTER)
                        .add(token(parameters.get("token2")), Occur.FILTER);
            case "Q4" ->
                all.add(new PhraseQuery("log", lower(parameters.get("phrase")).split(" ", -1)), Occur.FILTER);
            case "Q8" ->
                all.add(KeywordField.newExactQuery("api", parameters.get("api").asText()), Occur.FILTER);
            default -> {
                if (parameters.has("token")) {
                    all.add(token(parameters.get("token")), Occur.FILTER);
                }
            }
        }
        return new ConstantScoreQuery(all.build());
    }

    private static Query token(JsonNode token) {
        return new TermQuery(new Term("log", lower(token)));
    }

    private static String lower(JsonNode text) {
        return text.asText().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
        }
        writer.close();
        workers.shutdownNow();
        directory.close();
    }
}
