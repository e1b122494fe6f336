package io.cordwood.search.loki;

import io.cordwood.search.api.Output;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.logql.Expression;
import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.SampleExpression;
import io.cordwood.search.logql.metric.Steps;
import java.io.IOException;

/** {@code query}: numbers at one time. */
final class QueryOperation implements LokiOperation {
    @Override
    public void answer(LokiQuestion question, Output output) throws IOException {
        Expression expression = LogQl.parse(question.parameters().query());
        switch (expression) {
            case SampleExpression sample ->
                SampleQuery.answer(
                        question, sample, Steps.at(question.parameters().time()), false, output);
            case LogQuery _ ->
                throw ApiException.invalid("log queries need a time range: use query_range instead of query");
        }
    }
}
