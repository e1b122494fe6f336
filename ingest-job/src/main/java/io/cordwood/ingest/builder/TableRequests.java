package io.cordwood.ingest.builder;

import io.cordwood.catalog.protocol.TableReply;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.ingest.storage.TableStorage;
import java.util.ArrayList;
import java.util.List;

/** Requests the tables of several tenants from the catalog together, with a bounded number of columns. Thread-safe. */
final class TableRequests {
    private static final int MAX_COLUMNS = 4000;

    private final TableStorage storage;

    TableRequests(TableStorage storage) {
        this.storage = storage;
    }

    /**
     * Sends the next request of each. Blocks.
     *
     * @param open needs that are not met yet; a tenant may occur more than once
     * @return one reply for each, in their order; if a request fails, its tables have failed replies
     */
    List<TableReply> send(String stream, List<TableNeeds> open) {
        List<TableReply> replies = new ArrayList<>();
        List<TableRequest> together = new ArrayList<>();
        int size = 0;
        for (TableNeeds needs : open) {
            TableRequest request = needs.next();
            int columns = request.columns().size() + request.ofNewTable().size();
            if (!together.isEmpty() && size + columns > MAX_COLUMNS) {
                replies.addAll(sendTogether(stream, together));
                together.clear();
                size = 0;
            }
            together.add(request);
            size += columns;
        }
        if (!together.isEmpty()) {
            replies.addAll(sendTogether(stream, together));
        }
        return replies;
    }

    private List<TableReply> sendTogether(String stream, List<TableRequest> requests) {
        try {
            return storage.ensureTables(stream, requests);
        } catch (RuntimeException e) {
            return requests.stream()
                    .map(request -> TableReply.failed(e.toString()))
                    .toList();
        }
    }
}
