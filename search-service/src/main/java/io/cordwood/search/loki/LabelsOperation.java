package io.cordwood.search.loki;

import io.cordwood.search.api.Output;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** {@code labels}: the labels of streams, whatever the time. */
final class LabelsOperation implements LokiOperation {
    @Override
    public void answer(LokiQuestion question, Output output) throws IOException {
        Optional<LokiTable> table = question.table(question.parameters().selector());
        TreeSet<String> names = new TreeSet<>(List.of(StreamChoice.LABEL));
        table.ifPresent(found -> names.addAll(found.labels().stream().keySet()));
        LokiBody.write(output, json -> LokiBody.write(json, names));
    }
}
