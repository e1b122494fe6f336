package io.cordwood.gateway.redact;

import io.cordwood.catalog.pipeline.ColumnPattern;
import io.cordwood.catalog.pipeline.Sensitive;
import io.cordwood.catalog.pipeline.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Takes sensitive values out of rows. Immutable, thread-safe. */
public final class Redactor {
    private final List<Detector> detectors;
    private final boolean looksAtNames;

    private Redactor(List<Detector> detectors, boolean looksAtNames) {
        this.detectors = List.copyOf(detectors);
        this.looksAtNames = looksAtNames;
    }

    /** The redactor of these steps. It does nothing if there are none. */
    public static Redactor of(Collection<Step> steps) {
        Set<Sensitive> kinds = new TreeSet<>();
        List<Detector> patterns = new ArrayList<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Redact redact -> kinds.addAll(redact.kinds());
                case Step.RedactPattern redact ->
                    patterns.add(new PatternDetector(redact.name(), ColumnPattern.compile(redact.pattern())));
                case Step.Parse _, Step.Rename _, Step.Remove _, Step.Sample _ -> {
                    // Of another kind
                }
            }
        }
        List<Detector> detectors = new ArrayList<>();
        // First: a secret may contain what looks like another value
        if (kinds.contains(Sensitive.SECRET)) {
            detectors.add(new Secrets());
        }
        detectors.addAll(patterns);
        if (kinds.contains(Sensitive.EMAIL)) {
            detectors.add(new EmailAddresses());
        }
        if (kinds.contains(Sensitive.CARD_NUMBER)) {
            detectors.add(new CardNumbers());
        }
        if (kinds.contains(Sensitive.IP_ADDRESS)) {
            detectors.add(new IpAddresses());
        }
        return new Redactor(detectors, kinds.contains(Sensitive.SECRET));
    }

    public boolean isEmpty() {
        return detectors.isEmpty();
    }

    List<Detector> detectors() {
        return detectors;
    }

    /** Whether a value is sensitive by its name alone. */
    boolean looksAtNames() {
        return looksAtNames;
    }

    /** Begins with some rows. */
    public Redaction begin() {
        return new Redaction(this);
    }
}
