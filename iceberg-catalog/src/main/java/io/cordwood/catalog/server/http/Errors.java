package io.cordwood.catalog.server.http;

import io.cordwood.catalog.server.store.MalformedEntryException;
import io.cordwood.http.RefusedBodyException;
import io.cordwood.http.Reply;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.UnprocessableEntityException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.ErrorResponseParser;

/**
 * Responses for exceptions, by the Iceberg REST specification. Stateless.
 *
 * <p>Only the log of the service has the details of internal failures: messages of a database reveal its tables and
 * statements.
 */
final class Errors {
    static final int INTERNAL = 500;

    private static final int UNAUTHORIZED = 401;
    private static final int UNAVAILABLE = 503;

    /** In order: the first matching class decides. */
    private static final List<Map.Entry<Class<? extends Exception>, Integer>> STATUSES = List.of(
            Map.entry(NotAuthorizedException.class, UNAUTHORIZED),
            Map.entry(ForbiddenException.class, 403),
            Map.entry(NoSuchNamespaceException.class, 404),
            Map.entry(NoSuchTableException.class, 404),
            Map.entry(NotFoundException.class, 404),
            Map.entry(UnsupportedOperationException.class, 406),
            Map.entry(NamespaceNotEmptyException.class, 409),
            Map.entry(AlreadyExistsException.class, 409),
            Map.entry(CommitFailedException.class, 409),
            Map.entry(UnprocessableEntityException.class, 422),
            Map.entry(ValidationException.class, 400),
            Map.entry(IllegalArgumentException.class, 400),
            Map.entry(CommitStateUnknownException.class, INTERNAL));

    private Errors() {}

    static int status(Exception e) {
        if (e instanceof RefusedBodyException refused) {
            return refused.status();
        }
        return STATUSES.stream()
                .filter(entry -> entry.getKey().isInstance(e))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(INTERNAL);
    }

    static Reply reply(Exception e) {
        int status = status(e);
        if (e instanceof MalformedEntryException) {
            return reply(status, "MalformedEntryException", e.getMessage());
        }
        if (status == INTERNAL) {
            return reply(status, "InternalServerError", "The catalog failed to answer; its log says why");
        }
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        Reply reply = reply(status, e.getClass().getSimpleName(), message);
        return switch (status) {
            case UNAUTHORIZED -> reply.with("WWW-Authenticate", "Bearer realm=\"cordwood\"");
            case UNAVAILABLE -> reply.with("Retry-After", "1");
            default -> reply;
        };
    }

    static Reply reply(int status, String type, String message) {
        return Reply.json(
                status,
                ErrorResponseParser.toJson(ErrorResponse.builder()
                        .responseCode(status)
                        .withType(type)
                        .withMessage(message)
                        .build()));
    }
}
