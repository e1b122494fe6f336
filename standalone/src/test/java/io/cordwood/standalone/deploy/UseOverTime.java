package io.cordwood.standalone.deploy;

import io.cordwood.standalone.deploy.RunningContainer.Use;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What containers use over time, sampled in equal steps. Not thread-safe. */
public final class UseOverTime {
    /** What is sampled. */
    public enum Resource {
        MEMORY("memory, MB", 32),
        THREADS("threads", 5),
        HANDLES("open handles", 20),
        FILES("files", 20);

        private final String label;
        /** A growth that is none, whatever the ratio. */
        private final long least;

        Resource(String label, long least) {
            this.label = label;
            this.least = least;
        }

        private long of(Use use) {
            return switch (this) {
                case MEMORY -> use.memory() / 1_000_000;
                case THREADS -> use.threads();
                case HANDLES -> use.handles();
                case FILES -> use.files();
            };
        }
    }

    private static final int PARTS = 4;
    private static final double RATIO = 1.1;

    private static final int LABEL_WIDTH = 130;
    private static final int CELL_WIDTH = 190;
    private static final int CELL_HEIGHT = 44;
    private static final int HEAD = 30;
    private static final int PLOT_WIDTH = 110;
    private static final int PLOT_HEIGHT = 32;

    private final Map<String, List<Use>> byService = new TreeMap<>();

    /** Adds a service's next sample. */
    public void add(String service, Use use) {
        byService.computeIfAbsent(service, any -> new ArrayList<>()).add(use);
    }

    /** The services, by name. */
    public List<String> services() {
        return List.copyOf(byService.keySet());
    }

    /**
     * Says where a service uses more in the last quarter of the time than in the second one, by more than a tenth; the
     * first quarter is for warming up.
     *
     * @return a sentence, or nothing if it does not
     */
    public List<String> growth(String service, Resource resource) {
        long early = median(service, resource, 1);
        long late = median(service, resource, PARTS - 1);
        return late > early * RATIO && late > early + resource.least
                ? List.of("%s: %s grew from %d to %d".formatted(service, resource.label, early, late))
                : List.of();
    }

    private long median(String service, Resource resource, int part) {
        long[] values = values(service, resource);
        long[] sorted = Arrays.stream(
                        values, values.length * part / PARTS, Math.max(1, values.length * (part + 1) / PARTS))
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }

    private long[] values(String service, Resource resource) {
        return byService.get(service).stream().mapToLong(resource::of).toArray();
    }

    /** Medians of the second quarter and of the last one, a line for each service. */
    public String table() {
        StringBuilder table = new StringBuilder("%-18s".formatted("service"));
        for (Resource resource : Resource.values()) {
            table.append("%20s".formatted(resource.label));
        }
        for (String service : services()) {
            table.append("%n%-18s".formatted(service));
            for (Resource resource : Resource.values()) {
                table.append(
                        "%20s".formatted(median(service, resource, 1) + " to " + median(service, resource, PARTS - 1)));
            }
        }
        return table.toString();
    }

    /** A drawing in SVG: a row for each service, in it a line for each resource from 0 up, with its last value. */
    public String svg() {
        Resource[] resources = Resource.values();
        int width = LABEL_WIDTH + resources.length * CELL_WIDTH;
        int height = HEAD + byService.size() * CELL_HEIGHT + 10;
        StringBuilder svg = new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">
                <rect width="100%%" height="100%%" fill="white"/>
                """.formatted(width, height));
        for (int c = 0; c < resources.length; c++) {
            text(svg, LABEL_WIDTH + c * CELL_WIDTH, HEAD - 10, resources[c].label);
        }
        int top = HEAD;
        for (String service : byService.keySet()) {
            text(svg, 8, top + PLOT_HEIGHT - 8, service);
            for (int c = 0; c < resources.length; c++) {
                line(svg, LABEL_WIDTH + c * CELL_WIDTH, top, values(service, resources[c]));
            }
            top += CELL_HEIGHT;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void text(StringBuilder svg, int x, int y, String text) {
        svg.append("<text x=\"%d\" y=\"%d\">%s</text>%n".formatted(x, y, text));
    }

    private static void line(StringBuilder svg, int left, int top, long[] values) {
        long highest = Math.max(1, Arrays.stream(values).max().orElse(1));
        svg.append("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f2f2f2\"/>%n"
                .formatted(left, top, PLOT_WIDTH, PLOT_HEIGHT));
        svg.append("<polyline fill=\"none\" stroke=\"#00669c\" stroke-width=\"1.5\" points=\"");
        for (int i = 0; i < values.length; i++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "%.1f,%.1f ",
                    left + PLOT_WIDTH * i / Math.max(1.0, values.length - 1.0),
                    top + PLOT_HEIGHT - (PLOT_HEIGHT - 2.0) * values[i] / highest));
        }
        svg.append("\"/>\n");
        text(svg, left + PLOT_WIDTH + 6, top + PLOT_HEIGHT - 8, "%,d".formatted(values[values.length - 1]));
    }
}
