package io.cordwood.systemtests.load;

import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.ledger.Place;
import java.util.Map;

/** Sends rows one by one, as most producers do. */
final class PlainSender extends Sender {
    PlainSender(Lab lab, Ledger ledger, int producer, int generation) {
        super(lab, ledger, producer, generation, Map.of());
    }

    @Override
    void send(NumberedRow row, int partitions) {
        ledger.sent(producer, row.number());
        var _ = kafka.send(toRecord(row, partitions), (metadata, failure) -> {
            if (failure == null) {
                ledger.acknowledged(
                        producer, row.number(), new Place(generation, metadata.partition(), metadata.offset()));
            }
        });
    }

    @Override
    void settle() {
        kafka.flush();
    }
}
