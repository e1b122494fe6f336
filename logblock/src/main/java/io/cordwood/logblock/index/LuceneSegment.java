package io.cordwood.logblock.index;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.InfoStream;
import org.apache.lucene.util.Version;

/**
 * The Lucene part of an index: term dictionary and postings in Lucene's own format, written and read through its codec
 * without an {@code IndexWriter}, since rows are already columnar and sorted. Stateless.
 */
final class LuceneSegment {
    private static final String NAME = "_0";
    /** The segment id, which ties its files together. A constant suffices, because they are in one object here. */
    private static final byte[] ID = new byte[16];

    private static final PostingsFormat FORMAT = new Lucene104PostingsFormat();

    private LuceneSegment() {}

    static String fieldName(int fieldId) {
        return Integer.toString(fieldId);
    }

    static void write(Directory directory, int rowCount, InvertedFields fields, Collection<Integer> fieldIds)
            throws IOException {
        SegmentWriteState state = new SegmentWriteState(
                InfoStream.NO_OUTPUT,
                directory,
                segmentInfo(directory, rowCount),
                fieldInfos(fieldIds),
                null,
                IOContext.DEFAULT);
        try (FieldsConsumer consumer = FORMAT.fieldsConsumer(state)) {
            consumer.write(fields, null);
        }
    }

    static FieldsProducer open(Directory directory, int rowCount, Collection<Integer> fieldIds) throws IOException {
        return FORMAT.fieldsProducer(new SegmentReadState(
                directory, segmentInfo(directory, rowCount), fieldInfos(fieldIds), IOContext.DEFAULT));
    }

    private static SegmentInfo segmentInfo(Directory directory, int rowCount) {
        return new SegmentInfo(
                directory,
                Version.LATEST,
                Version.LATEST,
                NAME,
                Documents.count(rowCount),
                false,
                false,
                null,
                Map.of(),
                ID,
                Map.of(),
                null);
    }

    private static FieldInfos fieldInfos(Collection<Integer> fieldIds) {
        return new FieldInfos(fieldIds.stream().map(LuceneSegment::fieldInfo).toArray(FieldInfo[]::new));
    }

    private static FieldInfo fieldInfo(int fieldId) {
        return new FieldInfo(
                fieldName(fieldId),
                fieldId,
                false,
                true,
                false,
                IndexOptions.DOCS,
                DocValuesType.NONE,
                DocValuesSkipIndexType.NONE,
                -1,
                Map.of(),
                0,
                0,
                0,
                0,
                VectorEncoding.FLOAT32,
                VectorSimilarityFunction.EUCLIDEAN,
                false,
                false);
    }
}
