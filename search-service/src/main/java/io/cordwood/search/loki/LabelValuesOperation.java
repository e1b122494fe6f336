package io.cordwood.search.loki;

import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.search.TopValues;
import io.cordwood.query.search.ValueCount;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.api.Output;
import io.cordwood.search.logql.LabelMatcher;
import io.cordwood.search.logql.LogQuery;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** {@code label/NAME/values}: the values of a label, the most frequent ones if there are many. */
final class LabelValuesOperation implements LokiOperation {
    private static final long DEFAULT_SINCE = Duration.ofHours(6).toNanos();
    private static final int MAX_VALUES = 5_000;

    private final String label;

    LabelValuesOperation(String label) {
        this.label = label;
    }

    @Override
    public void answer(LokiQuestion question, Output output) throws IOException {
        List<LabelMatcher> selector = question.parameters().selector();
        LokiParameters.Bounds bounds = question.parameters().bounds(DEFAULT_SINCE);
        Collection<String> values = label.equals(StreamChoice.LABEL) && selector.isEmpty()
                ? new TreeSet<>(question.streams())
                : question.table(selector)
                        .map(table -> values(table, selector, bounds))
                        .orElse(List.of());
        LokiBody.write(output, json -> LokiBody.write(json, values));
    }

    private Collection<String> values(LokiTable table, List<LabelMatcher> selector, LokiParameters.Bounds bounds) {
        if (label.equals(StreamChoice.LABEL)) {
            return List.of(table.labels().name());
        }
        Optional<QueryColumn> column = table.labels().column(label);
        if (column.isEmpty()) {
            return List.of();
        }
        ScanFilter filter =
                Pushdown.of(new LogQuery(selector, List.of()), table.labels()).filter(LokiTimes.within(bounds));
        TreeSet<String> values = new TreeSet<>();
        for (ValueCount count :
                TopValues.find(table.scan(), filter, column.get(), MAX_VALUES).values()) {
            count.value().filter(value -> !value.isEmpty()).ifPresent(values::add);
        }
        return values;
    }
}
