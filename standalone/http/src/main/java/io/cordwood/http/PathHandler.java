package io.cordwood.http;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers {@code GET} and {@code HEAD} of one path, without authentication. Thread-safe if the supplier is. */
public final class PathHandler extends Handler.Abstract.NonBlocking {
    private final String path;
    private final Supplier<Reply> reply;

    /** @param reply makes the answer, without waiting for anything */
    public PathHandler(String path, Supplier<Reply> reply) {
        this.path = requireNonNull(path, "path is null");
        this.reply = requireNonNull(reply, "reply is null");
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        boolean isHere = path.equals(request.getHttpURI().getPath())
                && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"));
        if (isHere) {
            reply.get().write(request, response, callback);
        }
        return isHere;
    }
}
