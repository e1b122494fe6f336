package io.cordwood.search.logql.template;

import java.util.List;
import java.util.function.Function;

/**
 * A function of templates. Immutable.
 *
 * @param least least number of arguments
 * @param most most arguments
 * @param body computes the result of that many arguments
 * @param prepared the body for a first argument that is the same for all lines
 */
record TemplateFunction(
        String name,
        int least,
        int most,
        Function<List<Value>, Value> body,
        Function<Value, Function<List<Value>, Value>> prepared) {
    TemplateFunction(String name, int least, int most, Function<List<Value>, Value> body) {
        this(name, least, most, body, _ -> body);
    }

    Value apply(List<Value> arguments) {
        return body.apply(arguments);
    }

    /** This function for calls whose first argument is this one. @throws TemplateException if it is malformed */
    TemplateFunction withFirst(Value constant) {
        return new TemplateFunction(name, least, most, prepared.apply(constant));
    }
}
