package io.cordwood.logblock.parquet;

import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import java.util.ArrayList;
import java.util.List;

/** The values of a column for some rows. Immutable. */
public sealed interface ColumnValues {
    int rows();

    /** The approximate size of the values in bytes. */
    long valueBytes();

    /** Values in memory. */
    record InMemory(Vector vector) implements ColumnValues {
        @Override
        public int rows() {
            return vector.length();
        }

        @Override
        public long valueBytes() {
            return Vectors.valueBytes(vector);
        }
    }

    /** Values of an optional text column without a dictionary, some of which are pages of other files. */
    record InParts(List<TextPart> parts) implements ColumnValues {
        public InParts {
            parts = List.copyOf(parts);
        }

        /** The parts, at least one, with neighbours of values joined, so that no small pages are made of them. */
        public static InParts joined(List<TextPart> parts) {
            List<TextPart> joined = new ArrayList<>();
            List<StringVector> values = new ArrayList<>();
            for (TextPart part : parts) {
                switch (part) {
                    case TextPart.Values next -> values.add(next.vector());
                    case TextPart.Pages pages -> {
                        join(values, joined);
                        joined.add(pages);
                    }
                }
            }
            join(values, joined);
            return new InParts(joined);
        }

        private static void join(List<StringVector> values, List<TextPart> joined) {
            if (!values.isEmpty()) {
                joined.add(new TextPart.Values((StringVector) Vectors.concat(values)));
                values.clear();
            }
        }

        @Override
        public int rows() {
            return parts.stream().mapToInt(TextPart::rows).sum();
        }

        @Override
        public long valueBytes() {
            return parts.stream().mapToLong(TextPart::valueBytes).sum();
        }
    }
}
