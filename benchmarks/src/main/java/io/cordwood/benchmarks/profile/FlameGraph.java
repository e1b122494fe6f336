package io.cordwood.benchmarks.profile;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A flame graph as an SVG, which shows the name of the frame under the pointer. Not thread-safe. */
public final class FlameGraph {
    private static final int WIDTH = 1200;
    private static final int ROW = 16;
    private static final int TITLE = 24;
    /** Narrower frames are omitted with all frames above them. */
    private static final double LEAST_WIDTH = 1.5;

    private static final double LETTER_WIDTH = 6.2;
    private static final String[] COLORS = {"#f4a460", "#f7b977", "#ee9550", "#f2c185", "#eba36a"};

    private final String title;
    private final Frame root = new Frame();
    private int depth;

    private static final class Frame {
        final Map<String, Frame> above = new TreeMap<>();
        int samples;
    }

    FlameGraph(String title) {
        this.title = title;
    }

    /** Adds a sample. */
    void add(List<String> innermostFirst) {
        Frame frame = root;
        frame.samples++;
        for (String name : innermostFirst.reversed()) {
            frame = frame.above.computeIfAbsent(name, any -> new Frame());
            frame.samples++;
        }
    }

    public void write(Path file) throws IOException {
        double samplesPerPixel = Math.max(1, root.samples) / (double) WIDTH;
        depth = depth(root, samplesPerPixel);
        int height = TITLE + depth * ROW;
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            out.printf(
                    Locale.ROOT,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"monospace\" font-size=\"10\">%n",
                    WIDTH,
                    height);
            out.printf(Locale.ROOT, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n");
            out.printf(
                    Locale.ROOT,
                    "<text x=\"4\" y=\"15\" font-size=\"12\">%s, %d samples</text>%n",
                    escape(title),
                    root.samples);
            write(root, 0, 0, samplesPerPixel, out);
            out.printf(Locale.ROOT, "</svg>%n");
            if (out.checkError()) {
                throw new IOException("cannot write " + file);
            }
        }
    }

    private static int depth(Frame frame, double samplesPerPixel) {
        int deepest = 0;
        for (Frame above : frame.above.values()) {
            if (above.samples / samplesPerPixel >= LEAST_WIDTH) {
                deepest = Math.max(deepest, 1 + depth(above, samplesPerPixel));
            }
        }
        return deepest;
    }

    private void write(Frame frame, double x, int level, double samplesPerPixel, PrintWriter out) {
        double left = x;
        for (Map.Entry<String, Frame> entry : frame.above.entrySet()) {
            Frame above = entry.getValue();
            double width = above.samples / samplesPerPixel;
            if (width >= LEAST_WIDTH) {
                writeFrame(entry.getKey(), above.samples, left, level, width, out);
                write(above, left, level + 1, samplesPerPixel, out);
            }
            left += width;
        }
    }

    private void writeFrame(String name, int samples, double x, int level, double width, PrintWriter out) {
        int y = TITLE + (depth - 1 - level) * ROW;
        String label = shortened(name, (int) (width / LETTER_WIDTH));
        out.printf(
                Locale.ROOT,
                "<g><title>%s: %.2f %%</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                escape(name),
                100.0 * samples / root.samples,
                x,
                y,
                width,
                ROW - 1,
                COLORS[Math.floorMod(name.hashCode(), COLORS.length)]);
        if (!label.isEmpty()) {
            out.printf(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>", x + 2, y + 11, escape(label));
        }
        out.printf(Locale.ROOT, "</g>%n");
    }

    /** Class and method only, cut to this number of letters. */
    private static String shortened(String name, int letters) {
        int method = name.lastIndexOf('.');
        String text = name.substring(name.lastIndexOf('.', method - 1) + 1);
        return letters < 3 ? "" : text.length() <= letters ? text : text.substring(0, letters);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
