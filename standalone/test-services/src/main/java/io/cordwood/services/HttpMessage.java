package io.cordwood.services;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The head of an HTTP/1.1 request or response, with methods to read its body. Immutable.
 *
 * @param lines the first line and the header lines
 */
record HttpMessage(List<String> lines) {
    private static final int MAX_HEAD = 64 << 10;

    HttpMessage {
        lines = List.copyOf(lines);
    }

    /** The next message of a connection; empty if the connection ends instead. */
    static Optional<HttpMessage> read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (true) {
            int next = in.read();
            if (next < 0) {
                if (head.size() == 0) {
                    return Optional.empty();
                }
                throw new EOFException("The connection ended within a head");
            }
            head.write(next);
            if (head.size() > MAX_HEAD) {
                throw new IOException("A head of more than %d bytes".formatted(MAX_HEAD));
            }
            if (next == '\n') {
                String text = head.toString(ISO_8859_1);
                if (text.endsWith("\r\n\r\n")) {
                    return Optional.of(new HttpMessage(
                            List.of(text.substring(0, text.length() - 4).split("\r\n", -1))));
                }
            }
        }
    }

    /** The request's method. */
    String method() {
        return lines.get(0).substring(0, lines.get(0).indexOf(' '));
    }

    /** The response's status. */
    int status() {
        return Integer.parseInt(lines.get(0).split(" ", -1)[1]);
    }

    Optional<String> header(String name) {
        String prefix = name.toLowerCase(Locale.ROOT) + ":";
        return lines.stream()
                .skip(1)
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                .map(line -> line.substring(prefix.length()).strip())
                .findFirst();
    }

    HttpMessage without(String name) {
        String prefix = name.toLowerCase(Locale.ROOT) + ":";
        return new HttpMessage(lines.stream()
                .filter(line -> !line.toLowerCase(Locale.ROOT).startsWith(prefix))
                .toList());
    }

    byte[] bytes() {
        return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(ISO_8859_1);
    }

    /** The body as sent, with chunk sizes. */
    byte[] body(InputStream in) throws IOException {
        if (header("Transfer-Encoding").filter("chunked"::equalsIgnoreCase).isPresent()) {
            return chunks(in);
        }
        int length = header("Content-Length").map(Integer::parseInt).orElse(0);
        return exactly(in, length);
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String line = line(in);
            body.writeBytes((line + "\r\n").getBytes(ISO_8859_1));
            int size = Integer.parseInt(line.split(";", 2)[0].strip(), 16);
            body.writeBytes(exactly(in, size + 2));
            if (size == 0) {
                return body.toByteArray();
            }
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        while (next != '\n') {
            if (next < 0) {
                throw new EOFException("The connection ended within a chunk's size");
            }
            line.append((char) next);
            next = in.read();
        }
        return line.toString().stripTrailing();
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("The connection ended within a body");
        }
        return bytes;
    }
}
