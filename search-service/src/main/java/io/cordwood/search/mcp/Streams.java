package io.cordwood.search.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.search.api.Arrival;
import io.cordwood.search.api.Output;
import io.cordwood.search.api.Questions;
import io.cordwood.search.api.Target;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Asks the API about the stream that a call names. Thread-safe. */
final class Streams {
    static final String QUERY = """
            Which rows, in the search language; all rows without it. Examples: timeout level:error (both), \
            "connection reset" (a phrase), time* (a prefix), timeout OR refused, -debug (not), level:(error OR \
            warn), status:>=500, took:[100 TO 500], host:web-*, attributes.user:4711, -level:* (no level). Words \
            without a column are searched in text columns; case does not count.""";
    static final String TIME =
            " Relative (now, now-15m, now-2h, now-7d), RFC 3339 (2026-01-02T03:04:05Z), or a day (2026-01-02), in UTC.";

    private static final String TENANT = "tenant";
    private static final String STREAM = "stream";
    private static final String DEFAULT_STREAM = "logs";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Questions questions;

    Streams(Questions questions) {
        this.questions = questions;
    }

    /** The arguments that name a stream. */
    static InputSchema schema() {
        return InputSchema.none()
                .text(TENANT, "The tenant whose logs to read, as list_streams shows it.")
                .require(TENANT)
                .text(STREAM, "One of its streams (default: %s).".formatted(DEFAULT_STREAM));
    }

    /** The arguments that name a stream, and which rows of it. */
    static InputSchema rowsSchema() {
        return schema().text("query", QUERY)
                .text("from", "First time, included." + TIME)
                .text("to", "End, excluded." + TIME);
    }

    /** What a call asks about its stream. */
    static Target target(RequestFields arguments, String operation) {
        return new Target(
                arguments
                        .text(TENANT)
                        .orElseThrow(() -> ApiException.invalid("'tenant' is missing: list_streams has the tenants")),
                arguments.text(STREAM).orElse(DEFAULT_STREAM),
                operation);
    }

    /** The name of the stream in a result. */
    static String name(Target target) {
        return target.tenant() + "/" + target.stream();
    }

    /** What gets an answer. */
    @FunctionalInterface
    private interface Question {
        void answer(Output output) throws IOException, InterruptedException;
    }

    /** Answers with one JSON object. */
    JsonNode answer(Arrival arrival, Target target, RequestFields fields) throws IOException, InterruptedException {
        return first(output -> questions.answer(arrival, target, fields, output));
    }

    /** The tenants and streams that the caller reads. */
    JsonNode tenants(Arrival arrival) throws IOException, InterruptedException {
        return first(output -> questions.writeTenants(arrival, output));
    }

    /** The first line of an answer. */
    private static JsonNode first(Question question) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        AnswerLines output = new AnswerLines(lines::add);
        try {
            question.answer(output);
            output.end();
            return JSON.readTree(lines.getFirst());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An answer is not JSON", e);
        } catch (AnswerLines.LineTooLongException _) {
            throw new ApiException(
                    422,
                    "limit_exceeded",
                    "The answer has more than %,d bytes: ask for less".formatted(AnswerLines.MAX_LINE_BYTES));
        }
    }

    /** Answers with rows, as many as are wanted. */
    void answer(Arrival arrival, Target target, RequestFields fields, Rows rows)
            throws IOException, InterruptedException {
        AnswerLines output = new AnswerLines(rows::take);
        try {
            questions.answer(arrival, target, fields, output);
            output.end();
        } catch (AnswerLines.EnoughException _) {
            // The rows know it
            return;
        } catch (AnswerLines.LineTooLongException _) {
            rows.cutHere();
        }
    }
}
