package io.cordwood.benchmarks.report;

/** Wall time of the parts of a run, one after another. Not thread-safe. */
public final class Phases {
    private final Report report;
    private String current = "";
    private long begunNanos;

    public Phases(Report report) {
        this.report = report;
    }

    /** Begins a part and ends the previous one. */
    public void begin(String name) {
        end();
        current = name;
        begunNanos = System.nanoTime();
    }

    public void end() {
        if (!current.isEmpty()) {
            report.add("phase/" + current, "wall_seconds", (System.nanoTime() - begunNanos) / 1e9, "s");
            current = "";
        }
    }
}
