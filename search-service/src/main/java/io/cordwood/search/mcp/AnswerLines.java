package io.cordwood.search.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.search.api.Output;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Predicate;

/** Takes an answer of the API line by line, as long as it is wanted. Not thread-safe. */
final class AnswerLines extends OutputStream implements Output {
    /** Memory for one line. */
    static final int MAX_LINE_BYTES = 4 << 20;

    private final Predicate<String> reader;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean isEnough;

    /** @param reader takes a line, and says whether it wants more */
    AnswerLines(Predicate<String> reader) {
        this.reader = reader;
    }

    /** Ends an answer of which enough has been read. */
    static final class EnoughException extends IOException {
        private static final long serialVersionUID = 1;

        EnoughException() {
            super("No more of the answer is wanted");
        }
    }

    /** Ends an answer with a line that is too long for the memory there is. */
    static final class LineTooLongException extends IOException {
        private static final long serialVersionUID = 1;

        LineTooLongException() {
            super("A line of the answer is too long");
        }
    }

    @Override
    public OutputStream begin(String contentType) {
        return this;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int begin = from;
        for (int i = from; i < from + length; i++) {
            if (bytes[i] == '\n') {
                append(bytes, begin, i - begin);
                end();
                begin = i + 1;
            }
        }
        append(bytes, begin, from + length - begin);
    }

    private void append(byte[] bytes, int from, int length) throws IOException {
        if (isEnough) {
            throw new EnoughException();
        }
        if (line.size() + length > MAX_LINE_BYTES) {
            throw new LineTooLongException();
        }
        line.write(bytes, from, length);
    }

    /** Ends the line, also one without a line feed at the end of the answer. */
    void end() throws EnoughException {
        if (line.size() == 0) {
            return;
        }
        String text = line.toString(UTF_8);
        line.reset();
        isEnough = !reader.test(text);
        if (isEnough) {
            throw new EnoughException();
        }
    }
}
