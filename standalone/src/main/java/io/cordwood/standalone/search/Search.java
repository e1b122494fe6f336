package io.cordwood.standalone.search;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.search.EventStream.Event;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Prints the rows that a question finds, and those that arrive later. For one thread. */
public final class Search {
    private final SearchClient client;
    private final SearchPrinter printer;
    private final Consumer<String> notes;
    /** What was noted and is not over; and whether the service said so since the last comment or rows. */
    private final Set<String> troubles = new HashSet<>();

    private boolean isTroubled;

    /** @param notes receives lines for the user */
    public Search(SearchClient client, SearchPrinter printer, Consumer<String> notes) {
        this.client = client;
        this.printer = printer;
        this.notes = notes;
    }

    /** Prints the rows. @throws CordwoodException if there is no answer, or it is an error */
    public void find(SearchQuestion question) throws InterruptedException {
        FoundRows found = client.search(question);
        printer.print(found.rows());
        if (found.hasMore()) {
            notes.accept("older rows match, too: ask for more with --limit, or for those before a time with --to");
        }
    }

    /**
     * Prints the rows, and then those that arrive until the output is closed. It follows before it asks: a row that
     * arrives in between comes twice, and is printed once.
     *
     * @throws CordwoodException if the service does not answer any more, or the user may not follow any more
     */
    public void findAndFollow(SearchQuestion question) throws InterruptedException {
        try (EventStream events = client.follow(question.query())) {
            Event first = next(events);
            List<SearchRow> found = client.search(question).rows();
            Set<String> printed = new HashSet<>();
            found.forEach(row -> printed.add(row.cursor()));
            boolean isOpen = printer.print(found) && take(first, printed);
            while (isOpen) {
                isOpen = take(next(events), printed);
            }
        } catch (IOException e) {
            throw client.brokenOff(Errors.text(e), e);
        }
    }

    private Event next(EventStream events) throws IOException {
        return events.next().orElseThrow(() -> client.brokenOff("the service ended it", null));
    }

    /** Prints or notes an event. Returns false if the output is closed. */
    private boolean take(Event event, Set<String> printed) {
        if (event.isComment() || event.name().equals("rows")) {
            calm();
        }
        switch (event.name()) {
            case "rows" -> {
                return printer.print(event.data().stream()
                        .map(SearchRow::parse)
                        .filter(row -> !printed.contains(row.cursor()))
                        .toList());
            }
            case "dropped" ->
                notes.accept("%s rows were dropped, since they arrived faster than they were printed"
                        .formatted(value(event, "rows")));
            case "skipped" ->
                notes.accept("Kafka's retention removed %s records before they were read"
                        .formatted(value(event, "records")));
            case "trouble" -> troubled(value(event, "message"));
            case "end" -> throw new CordwoodException(value(event, "message"));
            default -> {}
        }
        return true;
    }

    /** The service repeats each trouble as long as it lasts, once a second and beside other events. */
    private void troubled(String what) {
        isTroubled = true;
        if (troubles.add(what)) {
            notes.accept(what);
        }
    }

    private void calm() {
        if (!isTroubled && !troubles.isEmpty()) {
            notes.accept("rows are read again");
            troubles.clear();
        }
        isTroubled = false;
    }

    private static String value(Event event, String field) {
        return SearchRow.parse(event.data().getFirst()).members().path(field).asText();
    }
}
