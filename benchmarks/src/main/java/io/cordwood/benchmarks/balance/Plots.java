package io.cordwood.benchmarks.balance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The plots of a run, after LogStore's figures 12 to 14. */
final class Plots {
    private final Path directory;

    Plots(Path directory) {
        this.directory = directory;
    }

    void draw(Map<Double, Map<Control, SkewRun.Outcome>> skew, Map<Control, double[]> day) throws IOException {
        Files.createDirectories(directory);
        bySkew(
                skew,
                "balance-throughput",
                "Throughput, million rows/s",
                outcome -> outcome.traffic().throughput() / 1e6);
        bySkew(
                skew,
                "balance-latency",
                "Time of a batch of 1,000 rows, ms",
                outcome -> outcome.traffic().batchMillis());
        bySkew(skew, "balance-routes", "Routes of 1,000 tenants", SkewRun.Outcome::routes);
        bySkew(
                skew,
                "balance-sd-partitions",
                "Standard deviation of partitions, thousand rows/s",
                outcome -> outcome.traffic().partitionDeviation() / 1e3);
        bySkew(
                skew,
                "balance-sd-workers",
                "Standard deviation of workers, thousand rows/s",
                outcome -> outcome.traffic().workerDeviation() / 1e3);
        double steepest = SkewRun.THETAS[SkewRun.THETAS.length - 1];
        sorted(
                skew.get(steepest),
                "balance-partitions",
                "Partitions at theta 0.99, thousand rows/s",
                outcome -> outcome.traffic().partitions());
        sorted(
                skew.get(steepest),
                "balance-workers",
                "Workers at theta 0.99, thousand rows/s",
                outcome -> outcome.traffic().workers());
        day(day);
    }

    private void bySkew(
            Map<Double, Map<Control, SkewRun.Outcome>> skew,
            String file,
            String title,
            ToDoubleFunction<SkewRun.Outcome> value)
            throws IOException {
        double[] thetas = SkewRun.THETAS;
        Map<Control, double[]> lines = new EnumMap<>(Control.class);
        for (Control control : Control.values()) {
            lines.put(
                    control,
                    Arrays.stream(thetas)
                            .map(theta -> value.applyAsDouble(skew.get(theta).get(control)))
                            .toArray());
        }
        draw(file, title, "theta", thetas, lines);
    }

    private interface Loads {
        double[] of(SkewRun.Outcome outcome);
    }

    private void sorted(Map<Control, SkewRun.Outcome> byControl, String file, String title, Loads loads)
            throws IOException {
        Map<Control, double[]> lines = new EnumMap<>(Control.class);
        byControl.forEach((control, outcome) -> {
            double[] values = Arrays.stream(loads.of(outcome)).sorted().toArray();
            double[] falling = new double[values.length];
            Arrays.setAll(falling, i -> values[values.length - 1 - i] / 1e3);
            lines.put(control, falling);
        });
        draw(file, title, "rank", ranks(lines.get(Control.NONE).length), lines);
    }

    private static double[] ranks(int count) {
        double[] ranks = new double[count];
        Arrays.setAll(ranks, i -> i + 1.0);
        return ranks;
    }

    private void day(Map<Control, double[]> shares) throws IOException {
        double[] hours = new double[DayRun.STEPS];
        Arrays.setAll(hours, step -> 24.0 * step / DayRun.STEPS);
        Map<Control, double[]> percent = new EnumMap<>(Control.class);
        shares.forEach((control, share) -> percent.put(
                control, Arrays.stream(share).map(part -> 100 * part).toArray()));
        draw("balance-day", "Rows that come through, % of those sent, over a day", "hour", hours, percent);
    }

    private void draw(String file, String title, String axis, double[] x, Map<Control, double[]> lines)
            throws IOException {
        List<LinePlot.Line> drawn = lines.entrySet().stream()
                .map(line -> new LinePlot.Line(line.getKey().label(), line.getValue()))
                .toList();
        new LinePlot(title, axis, x, drawn).write(directory.resolve(file + ".png"));
    }
}
