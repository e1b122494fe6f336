package io.cordwood.http;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Keeps web pages of other sites away from a service on loopback that asks for no token. A page reaches it through the
 * browser of its reader, also by a name of its own that leads to 127.0.0.1; so requests must call the service by a name
 * that no other site has. Thread-safe.
 */
public final class SiteGuard extends Handler.Wrapper {
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[?::1]?");

    private final Set<String> names;
    private final Function<ForeignSiteException, Reply> refusal;

    /**
     * Guards a handler.
     *
     * @param names names of the service beside those of loopback, in lower case
     * @param refusal the answer to a request that does not get through
     */
    public SiteGuard(Handler handler, Set<String> names, Function<ForeignSiteException, Reply> refusal) {
        super(handler);
        this.refusal = requireNonNull(refusal, "refusal is null");
        this.names = Set.copyOf(names);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        try {
            requireKnownName(request);
            requireSameOrigin(request);
        } catch (ForeignSiteException e) {
            refusal.apply(e).write(request, response, callback);
            return true;
        }
        return super.handle(request, response, callback);
    }

    private void requireKnownName(Request request) {
        String name =
                Optional.ofNullable(Request.getServerName(request)).orElse("").toLowerCase(Locale.ROOT);
        if (!LOOPBACK.matcher(name).matches() && !names.contains(name)) {
            throw new ForeignSiteException(
                    421,
                    "unknown_host",
                    "The service is not known as '%s': call it by localhost, or start it with --allowed-hosts %s"
                            .formatted(name, name));
        }
    }

    /**
     * Refuses requests of other sites' pages.
     *
     * @throws ForeignSiteException with status 403 if it has an origin that is not the host that it calls
     */
    public static void requireSameOrigin(Request request) {
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        if (origin == null) {
            return;
        }
        String host =
                Optional.ofNullable(request.getHeaders().get(HttpHeader.HOST)).orElse("");
        if (!origin.substring(origin.indexOf("://") + 1).equalsIgnoreCase("//" + host)) {
            throw new ForeignSiteException(403, "forbidden_origin", "Pages of other sites may not ask this service");
        }
    }
}
