package io.cordwood.gateway.door;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.tenant.Credentials;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** One HTTP request at a door. Not thread-safe. */
public final class Visit implements AutoCloseable {
    private static final List<String> TENANT_HEADERS = List.of("X-Cordwood-Tenant", "X-Scope-OrgID");

    private final String door;
    private final Request request;
    private final Intake intake;
    private Optional<Intake.Delivery> delivery = Optional.empty();

    Visit(String door, Request request, Intake intake) {
        this.door = door;
        this.request = request;
        this.intake = intake;
    }

    public String method() {
        return request.getMethod();
    }

    /**
     * Checks the method.
     *
     * @throws RefusedException if it is none of these
     */
    public void requireMethod(String... methods) {
        if (!Arrays.asList(methods).contains(method())) {
            throw new RefusedException(Reason.METHOD_NOT_ALLOWED, "This path takes " + String.join(" and ", methods));
        }
    }

    /** The parts of the path, decoded; the first is what follows the first slash. */
    public List<String> segments() {
        try {
            return Arrays.stream(request.getHttpURI().getPath().substring(1).split("/", -1))
                    .map(segment -> URLDecoder.decode(segment.replace("+", "%2B"), UTF_8))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw RefusedException.malformed("The path is malformed");
        }
    }

    /** The value of a header. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }

    /** The media type of the body, in lower case and without parameters; empty if the request does not say. */
    public String mediaType() {
        return header("Content-Type").orElse("").replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    }

    /** The value of a parameter of the query. */
    public Optional<String> parameter(String name) {
        try {
            Fields parameters = Request.extractQueryParameters(request);
            return Optional.ofNullable(parameters.getValue(name));
        } catch (IllegalArgumentException e) {
            throw RefusedException.malformed("The query of the URL is malformed");
        }
    }

    /** Whether there is such a stream. */
    public boolean hasStream(String name) {
        return intake.hasStream(name);
    }

    /**
     * Finds out who sends the request, before anything of its body is read. The tenant is the one that a header names,
     * or the sender's only one.
     *
     * @throws RefusedException if the sender may not send for the tenant, or not yet
     */
    public Intake.Delivery begin() {
        return begin(Optional.empty());
    }

    /** The same, with a tenant that the request names in its own way, which is stronger than a header. */
    public Intake.Delivery begin(Optional<String> named) {
        Intake.Delivery begun = intake.begin(
                door,
                Credentials.authorization(request.getHeaders()),
                named.or(() -> TENANT_HEADERS.stream()
                        .flatMap(name -> header(name).stream())
                        .findFirst()));
        delivery = Optional.of(begun);
        return begun;
    }

    /**
     * The body, unpacked as {@code Content-Encoding} says.
     *
     * @throws RefusedException if it is too large or too slow, or cannot be unpacked
     * @throws IOException if the client has gone
     */
    public byte[] body(Intake.Delivery to) throws IOException {
        return Bodies.read(request, header("Content-Encoding").orElse(""), to);
    }

    /** The body as it comes, whatever {@code Content-Encoding} says. Throws as {@link #body} does. */
    public byte[] packedBody(Intake.Delivery to) throws IOException {
        return Bodies.read(request, "", to);
    }

    /** Holds no more than the answer from now on, until it is closed. */
    void keep(long answerBytes) {
        delivery.ifPresent(begun -> begun.keep(answerBytes));
    }

    @Override
    public void close() {
        delivery.ifPresent(Intake.Delivery::close);
    }
}
