package io.cordwood.benchmarks.balance;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/**
 * A plot of lines over one axis, drawn without a display. The y axis begins at 0.
 *
 * @param title label of the y axis
 * @param axis label of the x axis
 * @param x positions of the lines' points, ascending
 * @param lines the lines, each with as many points
 */
record LinePlot(String title, String axis, double[] x, List<Line> lines) {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 400;
    private static final int LEFT = 70;
    private static final int RIGHT = 130;
    private static final int TOP = 40;
    private static final int BOTTOM = 50;
    private static final int TICKS = 5;
    /** Colours that colour-blind readers can distinguish. */
    private static final List<Color> COLORS = List.of(
            new Color(0x88, 0x88, 0x88),
            new Color(0xE6, 0x9F, 0x00),
            new Color(0x56, 0xB4, 0xE9),
            new Color(0x00, 0x5A, 0x3C));

    /** A line and its name. */
    record Line(String name, double[] y) {}

    void write(Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        canvas.setColor(Color.WHITE);
        canvas.fillRect(0, 0, WIDTH, HEIGHT);
        double top = lines.stream()
                .flatMapToDouble(line -> Arrays.stream(line.y()))
                .max()
                .orElse(1);
        drawAxes(canvas, top > 0 ? top : 1);
        for (int l = 0; l < lines.size(); l++) {
            drawLine(canvas, l, top > 0 ? top : 1);
        }
        canvas.dispose();
        ImageIO.write(image, "png", file.toFile());
    }

    private double across(double value) {
        double first = x[0];
        double last = x[x.length - 1];
        return LEFT + (WIDTH - LEFT - RIGHT) * (last > first ? (value - first) / (last - first) : 0.5);
    }

    private static double up(double value, double top) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top;
    }

    private void drawAxes(Graphics2D canvas, double top) {
        canvas.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        for (int tick = 0; tick <= TICKS; tick++) {
            double value = top * tick / TICKS;
            double y = up(value, top);
            canvas.setColor(new Color(0xDD, 0xDD, 0xDD));
            canvas.draw(new Line2D.Double(LEFT, y, WIDTH - RIGHT, y));
            canvas.setColor(Color.BLACK);
            canvas.drawString(number(value), 12, (int) y + 4);
            double at = x[0] + (x[x.length - 1] - x[0]) * tick / TICKS;
            canvas.drawString(number(at), (int) across(at) - 10, HEIGHT - BOTTOM + 18);
        }
        canvas.drawString(axis, (WIDTH - RIGHT + LEFT) / 2, HEIGHT - 12);
        canvas.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
        canvas.drawString(title, LEFT, 24);
    }

    private static String number(double value) {
        return value >= 100 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
    }

    private void drawLine(Graphics2D canvas, int index, double top) {
        Line line = lines.get(index);
        Path2D path = new Path2D.Double();
        for (int i = 0; i < x.length; i++) {
            if (i == 0) {
                path.moveTo(across(x[i]), up(line.y()[i], top));
            } else {
                path.lineTo(across(x[i]), up(line.y()[i], top));
            }
        }
        canvas.setColor(COLORS.get(index % COLORS.size()));
        canvas.setStroke(new BasicStroke(index == lines.size() - 1 ? 3f : 2f));
        canvas.draw(path);
        int y = TOP + 20 * index;
        canvas.draw(new Line2D.Double(WIDTH - RIGHT + 15, y, WIDTH - RIGHT + 40, y));
        canvas.setColor(Color.BLACK);
        canvas.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        canvas.drawString(line.name(), WIDTH - RIGHT + 46, y + 4);
    }
}
