package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.MalformedPageException;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.util.Optional;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.impl.ColumnReaderImpl;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;

/**
 * A decoder of the values of one leaf column that another program wrote. It uses Parquet's own readers. Thread-safe.
 */
final class ForeignValues {
    /** The maximum number of values to decode at once, nulls included: as many as a LogBlock's page may have. */
    private static final int MAX_VALUES = PageDecoder.MAX_ENTRIES;
    /** Makes readers return ids for pages that have them. */
    private static final PrimitiveConverter IDS = new PrimitiveConverter() {
        @Override
        public boolean hasDictionarySupport() {
            return true;
        }

        @Override
        public void setDictionary(Dictionary dictionary) {
            // Never called, because only ids are read
        }
    };

    private final LeafInfo leaf;
    private final ColumnType type;
    private final ColumnDescriptor descriptor;
    private final Optional<ParsedVersion> writer;

    /**
     * @param type the type to decode its values to
     * @param writer the program that wrote the file, if known: readers work around defects of some programs
     */
    ForeignValues(LeafInfo leaf, ColumnType type, Optional<ParsedVersion> writer) {
        this.leaf = leaf;
        this.type = type;
        this.writer = writer;
        PrimitiveType primitive =
                new PrimitiveType(Repetition.OPTIONAL, PrimitiveTypeName.valueOf(physicalName()), leaf.name());
        this.descriptor =
                new ColumnDescriptor(new String[] {leaf.name()}, primitive, leaf.maxRepetition(), leaf.maxDefinition());
    }

    private String physicalName() {
        return switch (leaf.element().getType()) {
            case BYTE_ARRAY -> "BINARY";
            case BOOLEAN, INT32, INT64, FLOAT, DOUBLE, INT96 ->
                leaf.element().getType().name();
            case FIXED_LEN_BYTE_ARRAY ->
                throw new MalformedPageException("arrays of fixed length where %s was expected".formatted(type));
        };
    }

    /** Whether such values can be read as this type, by Iceberg's rules for widening column types. */
    static boolean isReadable(SchemaElement element, ColumnType type) {
        return switch (type) {
            case VARCHAR, MAP -> element.getType() == org.apache.parquet.format.Type.BYTE_ARRAY;
            case BIGINT ->
                element.getType() == org.apache.parquet.format.Type.INT64
                        || element.getType() == org.apache.parquet.format.Type.INT32;
            case DOUBLE ->
                element.getType() == org.apache.parquet.format.Type.DOUBLE
                        || element.getType() == org.apache.parquet.format.Type.FLOAT;
            case BOOLEAN -> element.getType() == org.apache.parquet.format.Type.BOOLEAN;
            case TIMESTAMP ->
                element.getType() == org.apache.parquet.format.Type.INT64
                        || element.getType() == org.apache.parquet.format.Type.INT96;
        };
    }

    /**
     * Decodes one value or null for each row.
     *
     * @param dictionary dictionary of the pages' chunk, if it has one
     */
    Vector decode(StoredPages pages, Optional<ForeignDictionary> dictionary, int rows) {
        if (pages.getTotalValueCount() != rows) {
            throw new MalformedPageException("%d values for %d rows".formatted(pages.getTotalValueCount(), rows));
        }
        return values(pages, dictionary, count(pages), new int[0], new int[0]);
    }

    /**
     * Decodes the entries of a repeated leaf.
     *
     * @param dictionary dictionary of the pages' chunk, if it has one
     */
    PageDecoder.Entries decodeEntries(StoredPages pages, Optional<ForeignDictionary> dictionary) {
        int count = count(pages);
        int[] repetition = new int[count];
        int[] definition = new int[count];
        StringVector values = (StringVector) values(pages, dictionary, count, repetition, definition);
        return new PageDecoder.Entries(repetition, definition, values);
    }

    /** The validated number of values: headers have no checksum, so it is checked before allocation. */
    private static int count(StoredPages pages) {
        long count = pages.getTotalValueCount();
        if (count > MAX_VALUES) {
            throw new OversizedPageException("%d values".formatted(count), MAX_VALUES);
        }
        return (int) count;
    }

    private ColumnReader reader(StoredPages pages, Optional<ForeignDictionary> dictionary) {
        dictionary.map(ForeignDictionary::page).ifPresent(pages::replaceDictionary);
        boolean ids = dictionary.flatMap(ForeignDictionary::texts).isPresent();
        return new ColumnReaderImpl(descriptor, pages, ids ? IDS : new PrimitiveConverter() {}, writer.orElse(null));
    }

    /** Reads values, and their levels if arrays for them are given. */
    private Vector values(
            StoredPages pages, Optional<ForeignDictionary> dictionary, int count, int[] repetition, int[] definition) {
        ColumnReader reader = reader(pages, dictionary);
        NullMask nulls = new NullMask(count);
        long[] longs = new long[type == ColumnType.BIGINT || type == ColumnType.TIMESTAMP ? count : 0];
        double[] doubles = new double[type == ColumnType.DOUBLE ? count : 0];
        boolean[] booleans = new boolean[type == ColumnType.BOOLEAN ? count : 0];
        boolean isText = type == ColumnType.VARCHAR || type == ColumnType.MAP;
        ForeignTimes times = ForeignTimes.of(leaf.element());
        ForeignText text = new ForeignText(pages, dictionary.flatMap(ForeignDictionary::texts), isText ? count : 0);
        for (int i = 0; i < count; i++) {
            if (repetition.length != 0) {
                repetition[i] = reader.getCurrentRepetitionLevel();
                definition[i] = reader.getCurrentDefinitionLevel();
            }
            if (reader.getCurrentDefinitionLevel() < leaf.maxDefinition()) {
                nulls.set(i);
                if (isText) {
                    text.addNull(i);
                }
            } else {
                switch (type) {
                    case BIGINT -> longs[i] = number(reader);
                    case TIMESTAMP -> longs[i] = times.micros(reader);
                    case DOUBLE -> doubles[i] = fraction(reader);
                    case BOOLEAN -> booleans[i] = reader.getBoolean();
                    case VARCHAR, MAP -> text.add(i, reader);
                }
            }
            reader.consume();
        }
        NullMask mask = nulls.isEmpty() ? NullMask.none() : nulls;
        return switch (type) {
            case BIGINT, TIMESTAMP -> new LongVector(longs, count, mask);
            case DOUBLE -> new DoubleVector(doubles, count, mask);
            case BOOLEAN -> new BooleanVector(booleans, count, mask);
            case VARCHAR, MAP -> text.vector(count, mask);
        };
    }

    private long number(ColumnReader reader) {
        return descriptor.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT32
                ? reader.getInteger()
                : reader.getLong();
    }

    private double fraction(ColumnReader reader) {
        return descriptor.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.FLOAT
                ? reader.getFloat()
                : reader.getDouble();
    }
}
