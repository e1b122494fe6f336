package io.cordwood.search.loki;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.search.logql.metric.Result;
import io.cordwood.search.logql.metric.Series;
import io.cordwood.search.logql.metric.Steps;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/** Writes numbers. Stateless. */
final class SamplesBody {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int MILLIS_DIGITS = 3;

    private SamplesBody() {}

    /** Writes the fields {@code resultType} and {@code result}: a matrix, or what there is at one point. */
    static void write(JsonGenerator json, Result result, Steps steps, boolean isRange) throws IOException {
        switch (result) {
            case Result.Vector(List<Series> series) -> {
                json.writeStringField("resultType", isRange ? "matrix" : "vector");
                json.writeArrayFieldStart("result");
                for (Series one : series) {
                    write(json, one, steps, isRange);
                }
                json.writeEndArray();
            }
            case Result.Scalar(double value)
            when isRange -> {
                json.writeStringField("resultType", "matrix");
                json.writeArrayFieldStart("result");
                write(json, everywhere(value, steps), steps, true);
                json.writeEndArray();
            }
            case Result.Scalar(double value) -> {
                json.writeStringField("resultType", "scalar");
                json.writeFieldName("result");
                writePoint(json, steps.nanos(0), value);
            }
        }
    }

    private static Series everywhere(double value, Steps steps) {
        double[] values = new double[steps.count()];
        Arrays.fill(values, value);
        BitSet present = new BitSet();
        present.set(0, values.length);
        return new Series(new TreeMap<>(), values, present);
    }

    private static void write(JsonGenerator json, Series series, Steps steps, boolean isRange) throws IOException {
        json.writeStartObject();
        json.writeFieldName("metric");
        LokiBody.write(json, series.labels());
        if (isRange) {
            json.writeArrayFieldStart("values");
            for (int i = series.present().nextSetBit(0);
                    i >= 0;
                    i = series.present().nextSetBit(i + 1)) {
                writePoint(json, steps.nanos(i), series.values()[i]);
            }
            json.writeEndArray();
        } else {
            json.writeFieldName("value");
            writePoint(json, steps.nanos(0), series.values()[0]);
        }
        json.writeEndObject();
    }

    private static void writePoint(JsonGenerator json, long nanos, double value) throws IOException {
        json.writeStartArray();
        json.writeNumber(BigDecimal.valueOf(Math.floorDiv(nanos, NANOS_PER_MILLI), MILLIS_DIGITS)
                .stripTrailingZeros()
                .toPlainString());
        json.writeString(text(value));
        json.writeEndArray();
    }

    /** A number without an exponent, as Loki writes it. */
    static String text(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        return value == 0
                ? "0"
                : new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
    }
}
