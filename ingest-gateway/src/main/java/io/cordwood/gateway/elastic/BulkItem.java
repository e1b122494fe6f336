package io.cordwood.gateway.elastic;

import java.util.Optional;

/**
 * What became of one action of a bulk request. Immutable.
 *
 * @param action its name
 * @param index the index that it names
 * @param id the document's id, if the client gave one
 * @param error why it was not taken, if it was not
 */
record BulkItem(String action, String index, Optional<String> id, Optional<ItemError> error) {}
