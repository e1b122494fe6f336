package io.cordwood.search.loki;

import io.cordwood.search.api.Output;
import io.cordwood.search.logql.Grouping;
import io.cordwood.search.logql.RangeFunction;
import io.cordwood.search.logql.metric.Result;
import io.cordwood.search.logql.metric.Series;
import java.io.IOException;

/** {@code index/stats}: how many lines a selector is about. The number of bytes is a rough estimate. */
final class StatisticsOperation implements LokiOperation {
    private static final long ESTIMATED_BYTES_OF_LINE = 100;

    @Override
    public void answer(LokiQuestion question, Output output) throws IOException {
        LineVolume volume = LineVolume.of(question);
        long entries = 0;
        if (volume.atEnd(RangeFunction.COUNT_OVER_TIME, Grouping.ALL) instanceof Result.Vector vector) {
            for (Series total : vector.series()) {
                entries += (long) total.values()[0];
            }
        }
        long lines = entries;
        LokiBody.writeObject(output, json -> {
            json.writeNumberField("streams", Math.min(1, lines));
            json.writeNumberField("chunks", Math.min(1, lines));
            json.writeNumberField("entries", lines);
            json.writeNumberField("bytes", lines * ESTIMATED_BYTES_OF_LINE);
        });
    }
}
