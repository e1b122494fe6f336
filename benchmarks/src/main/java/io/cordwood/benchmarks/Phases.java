package io.cordwood.benchmarks;

/** Wall time of the parts of a run, one after another. Not thread-safe. */
final class Phases {
    private final Report report;
    private String current = "";
    private long begunNanos;

    Phases(Report report) {
        this.report = report;
    }

    /** Begins a part and ends the one before. */
    void begin(String name) {
        end();
        current = name;
        begunNanos = System.nanoTime();
    }

    void end() {
        if (!current.isEmpty()) {
            report.add("phase/" + current, "wall_seconds", (System.nanoTime() - begunNanos) / 1e9, "s");
            current = "";
        }
    }
}
