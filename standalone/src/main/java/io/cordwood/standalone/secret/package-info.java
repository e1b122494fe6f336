/** The secrets of a stack with authentication: certificates, passwords and tokens, each in a file of its own. */
package io.cordwood.standalone.secret;
