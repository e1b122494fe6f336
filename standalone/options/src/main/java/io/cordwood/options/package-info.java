/** Values of command-line options, with their ranges, and programs that fail with one line. */
package io.cordwood.options;
