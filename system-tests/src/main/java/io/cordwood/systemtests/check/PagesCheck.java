package io.cordwood.systemtests.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.Ledger.Acknowledged;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.ledger.Place;
import io.cordwood.systemtests.ledger.RowDeletion;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Checks the pages of one search, whose first page is asked for after this is created: rows that were acknowledged by
 * then are on one page, others on one at most, and all are in order. For one thread.
 */
final class PagesCheck {
    private static final Comparator<Acknowledged> OLDEST_FIRST = Comparator.<Acknowledged>comparingLong(
                    each -> each.row().tsMicros())
            .thenComparingInt(each -> each.place().partition())
            .thenComparingLong(each -> each.place().offset());

    private final Ledger ledger;
    private final NumberedRow.Maker rows;
    private final Findings findings;
    private final int tenant;
    private final Order order;
    private final List<Acknowledged> acknowledged;
    private final Set<RowDeletion> gone;
    private final Set<Long> seen = new HashSet<>();
    private Optional<Acknowledged> last = Optional.empty();
    private boolean going = true;

    /**
     * The order of rows, and where they end.
     *
     * @param to end of their times in microseconds, excluded
     */
    record Order(Comparator<Acknowledged> comparator, OptionalLong to) {
        static Order of(boolean newestFirst, OptionalLong to) {
            return new Order(newestFirst ? OLDEST_FIRST.reversed() : OLDEST_FIRST, to);
        }

        boolean has(NumberedRow row) {
            return to.isEmpty() || row.tsMicros() < to.getAsLong();
        }
    }

    /** @param acknowledged the rows of the tenant that must be there */
    PagesCheck(
            Ledger ledger,
            NumberedRow.Maker rows,
            Findings findings,
            int tenant,
            Order order,
            List<Acknowledged> acknowledged) {
        this.ledger = ledger;
        this.rows = rows;
        this.findings = findings;
        this.tenant = tenant;
        this.order = order;
        this.acknowledged = acknowledged;
        gone = ledger.deletionsDone();
    }

    /** Whether no finding makes further pages useless. */
    boolean isGoing() {
        return going;
    }

    /** Checks the next row. */
    void add(JsonNode found) {
        int producer = number(found, "producer");
        int number = number(found, "n");
        String name = "tenant %d by pages: producer %d, row %d".formatted(tenant, producer, number);
        if (!ledger.knows(producer, number) || ledger.place(producer, number) == Ledger.UNSENT) {
            findings.add(Kind.UNEXPECTED, name + " was never sent");
            return;
        }
        NumberedRow row = rows.row(producer, number);
        if (!seen.add(id(row))) {
            findings.add(Kind.DOUBLE, name);
            going = false; // A cursor that repeats rows may do so for ever
            return;
        }
        if (gone.stream().anyMatch(deletion -> deletion.isOf(row))) {
            findings.add(Kind.UNEXPECTED, name + " was deleted before");
        }
        if (row.tenant() != tenant || micros(found) != row.tsMicros() || !order.has(row)) {
            findings.add(Kind.WRONG, "%s: %s".formatted(name, found));
        }
        long place = ledger.place(producer, number);
        if (place != Ledger.UNKNOWN) {
            follow(new Acknowledged(row, Place.unpacked(place)));
        }
    }

    private void follow(Acknowledged next) {
        last.filter(before -> order.comparator().compare(before, next) >= 0)
                .ifPresent(before -> findings.add(
                        Kind.OUT_OF_ORDER, "tenant %d by pages: %s, then %s".formatted(tenant, before, next)));
        last = Optional.of(next);
    }

    /** After the last page. */
    void end() {
        if (!going) {
            return;
        }
        acknowledged.stream()
                .filter(each -> order.has(each.row()) && !seen.contains(id(each.row())) && mustBe(each))
                .forEach(each -> findings.add(Kind.LOST, "tenant %d by pages: %s".formatted(tenant, each)));
    }

    private boolean mustBe(Acknowledged each) {
        return !ledger.mayBeDeleted(each.row())
                && !ledger.isDeleted(tenant, each.place())
                && !ledger.deletedForGood().contains(tenant);
    }

    private long id(NumberedRow row) {
        return (long) row.number() * ledger.producers() + row.producer();
    }

    /** While the tenant has no table, members have no columns. */
    private static int number(JsonNode row, String name) {
        return row.has(name)
                ? row.path(name).asInt()
                : row.path("attributes").path(name).asInt(-1);
    }

    private static long micros(JsonNode row) {
        return ChronoUnit.MICROS.between(
                Instant.EPOCH, Instant.parse(row.path("ts").asText()));
    }
}
