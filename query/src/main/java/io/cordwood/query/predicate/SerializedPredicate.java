package io.cordwood.query.predicate;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.cordwood.logblock.predicate.Predicate;

/**
 * A predicate on SQL columns that is sent as JSON from the coordinator to the workers. Immutable.
 *
 * @param predicate the predicate; its columns have a name and a type but no id
 */
public record SerializedPredicate(Predicate predicate) {
    public SerializedPredicate {
        requireNonNull(predicate, "predicate is null");
    }

    /**
     * Parses a predicate.
     *
     * @throws IllegalArgumentException if the text is not a result of {@link #json}
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static SerializedPredicate of(String json) {
        return new SerializedPredicate(PredicateJson.decode(json));
    }

    /** The predicate as JSON, for {@link #of}. */
    @JsonValue
    public String json() {
        return PredicateJson.encode(predicate);
    }

    @Override
    public String toString() {
        return json();
    }
}
