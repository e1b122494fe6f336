package io.cordwood.search.loki;

import io.cordwood.search.api.Output;
import io.cordwood.search.logql.Grouping;
import io.cordwood.search.logql.LabelMatcher;
import io.cordwood.search.logql.RangeFunction;
import io.cordwood.search.logql.metric.Result;
import io.cordwood.search.logql.metric.Series;
import io.cordwood.search.logql.metric.Steps;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** {@code index/volume} and {@code index/volume_range}: bytes of lines, by the values of labels. */
final class VolumeOperation implements LokiOperation {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 5_000;

    private final boolean isRange;

    /** @param isRange whether the volume is that of each step */
    VolumeOperation(boolean isRange) {
        this.isRange = isRange;
    }

    @Override
    public void answer(LokiQuestion question, Output output) throws IOException {
        int limit = question.parameters().limit(DEFAULT_LIMIT, MAX_LIMIT);
        LineVolume volume = LineVolume.of(question);
        Grouping grouping = new Grouping(false, labels(question, volume));
        Steps steps = isRange
                ? SampleQuery.steps(question.parameters(), volume.bounds())
                : Steps.at(volume.bounds().end() - 1);
        Result result = isRange
                ? volume.overTime(RangeFunction.BYTES_OVER_TIME, grouping, steps)
                : volume.atEnd(RangeFunction.BYTES_OVER_TIME, grouping);
        Result largest = largest(result, limit);
        LokiBody.write(output, json -> {
            json.writeStartObject();
            SamplesBody.write(json, largest, steps, isRange);
            LokiBody.writeStatistics(json, question, 0);
            json.writeEndObject();
        });
    }

    /** The labels that the request names, or those of its selector. */
    private static List<String> labels(LokiQuestion question, LineVolume volume) {
        return question.parameters()
                .text("targetLabels")
                .map(names -> Arrays.asList(names.split(",")))
                .orElseGet(() -> volume.selector().selector().stream()
                        .map(LabelMatcher::label)
                        .distinct()
                        .toList());
    }

    private static Result largest(Result result, int limit) {
        if (!(result instanceof Result.Vector(List<Series> series))) {
            return result;
        }
        Comparator<Series> bySize =
                Comparator.comparingDouble(one -> Arrays.stream(one.values()).sum());
        return new Result.Vector(series.stream()
                .filter(one -> !one.labels().isEmpty())
                .sorted(bySize.reversed())
                .limit(limit)
                .toList());
    }
}
