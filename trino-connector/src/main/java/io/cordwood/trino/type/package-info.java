/** Types and values of SQL. */
package io.cordwood.trino.type;
