package io.cordwood.systemtests.load;

import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.ledger.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Sends rows in transactions. It aborts some of them, whose rows must never be visible. */
final class TransactionSender extends Sender {
    private static final int ROWS = 50;
    private static final int ABORTED_OF = 5;

    private final Random random;
    private final Map<Integer, Place> places = new ConcurrentHashMap<>();
    private int open;

    TransactionSender(Lab lab, Ledger ledger, int producer, int generation, long seed) {
        super(
                lab,
                ledger,
                producer,
                generation,
                Map.of("transactional.id", "checker-" + producer, "transaction.timeout.ms", "60000"));
        random = new Random(seed);
        kafka.initTransactions();
    }

    @Override
    void send(NumberedRow row, int partitions) {
        if (open == 0) {
            kafka.beginTransaction();
        }
        open++;
        ledger.sent(producer, row.number());
        var _ = kafka.send(toRecord(row, partitions), (metadata, failure) -> {
            if (failure == null) {
                places.put(row.number(), new Place(generation, metadata.partition(), metadata.offset()));
            }
        });
        if (open == ROWS) {
            settle();
        }
    }

    @Override
    void settle() {
        if (open == 0) {
            return;
        }
        kafka.flush();
        Map<Integer, Place> settled = new HashMap<>(places);
        places.clear();
        open = 0;
        if (random.nextInt(ABORTED_OF) == 0) {
            kafka.abortTransaction();
            settled.forEach((number, place) -> ledger.aborted(producer, number));
        } else {
            kafka.commitTransaction();
            settled.forEach((number, place) -> ledger.acknowledged(producer, number, place));
        }
    }
}
