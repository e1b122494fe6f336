/** Predicates on columns as queries name them: made, evaluated on one value, and written as JSON. */
package io.cordwood.query.predicate;
