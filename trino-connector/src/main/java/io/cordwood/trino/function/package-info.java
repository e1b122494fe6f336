/** SQL functions: {@code match} and {@code date_bin}. */
package io.cordwood.trino.function;
