/** The command line's exception and its error messages. Depends on no other package. */
package io.cordwood.standalone.error;
