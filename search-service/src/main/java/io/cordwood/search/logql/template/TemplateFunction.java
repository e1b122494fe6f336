package io.cordwood.search.logql.template;

import java.util.List;
import java.util.function.Function;

/**
 * A function of templates. Immutable.
 *
 * @param least least number of arguments
 * @param most most arguments
 * @param body computes the result of that many arguments
 */
record TemplateFunction(String name, int least, int most, Function<List<Value>, Value> body) {
    Value apply(List<Value> arguments) {
        return body.apply(arguments);
    }
}
