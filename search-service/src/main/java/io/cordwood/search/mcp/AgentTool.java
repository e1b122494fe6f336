package io.cordwood.search.mcp;

import io.cordwood.search.api.Arrival;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;

/** One tool that agents call. It only reads. Thread-safe. */
interface AgentTool {
    /** Its name, as agents call it. */
    String name();

    /** Its name for people. */
    String title();

    /** What it answers and when to use it, for the model. */
    String description();

    /** Its arguments. */
    InputSchema schema();

    /**
     * Answers a call with text for the model.
     *
     * @throws ApiException if the arguments are wrong, or the caller may not ask this
     */
    String call(Arrival arrival, RequestFields arguments) throws IOException, InterruptedException;
}
