/** Predicates on SQL columns: building them, evaluating them on one value, and writing them as JSON. */
package io.cordwood.query.predicate;
