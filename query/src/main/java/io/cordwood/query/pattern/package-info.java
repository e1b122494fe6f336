/** Mines templates of log lines: which lines are the same but for their parameters. */
package io.cordwood.query.pattern;
