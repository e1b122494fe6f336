package io.cordwood.search.loki;

import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.search.TopValues;
import io.cordwood.query.search.ValueCount;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.api.Output;
import io.cordwood.search.logql.LabelMatcher;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.metric.NeededLabels;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

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
                        .map(table -> values(question, table, selector, bounds))
                        .orElse(List.of());
        LokiBody.write(output, json -> LokiBody.write(json, values));
    }

    private Collection<String> values(
            LokiQuestion question, LokiTable table, List<LabelMatcher> selector, LokiParameters.Bounds bounds) {
        if (label.equals(StreamChoice.LABEL)) {
            return List.of(table.labels().name());
        }
        Optional<QueryColumn> column = table.labels().column(label);
        if (column.isEmpty()) {
            return List.of();
        }
        LogQuery query = new LogQuery(selector, List.of());
        Pushdown pushdown = Pushdown.of(query, table.labels());
        if (!pushdown.isExact()) {
            return valuesOfLines(question, query, bounds);
        }
        ScanFilter filter = pushdown.filter(LokiTimes.within(bounds));
        TreeSet<String> values = new TreeSet<>();
        for (ValueCount count :
                TopValues.find(table.scan(), filter, column.get(), MAX_VALUES).values()) {
            count.value().filter(value -> !value.isEmpty()).ifPresent(values::add);
        }
        return values;
    }

    private Collection<String> valuesOfLines(LokiQuestion question, LogQuery query, LokiParameters.Bounds bounds) {
        Set<String> values = new ConcurrentSkipListSet<>();
        new TableLines(question)
                .read(
                        query,
                        new NeededLabels(false, false, Set.of(label), false),
                        bounds.start() - 1,
                        bounds.end() - 1,
                        line -> add(values, line.label(label)));
        return values;
    }

    private static void add(Set<String> values, String value) {
        if (!value.isEmpty() && values.size() < MAX_VALUES) {
            values.add(value);
        }
    }
}
