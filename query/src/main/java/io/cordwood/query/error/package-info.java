/** Query failures and their messages. */
package io.cordwood.query.error;
