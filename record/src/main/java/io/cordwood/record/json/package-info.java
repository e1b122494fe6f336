/**
 * Reading and writing of JSON as bytes, without objects.
 */
package io.cordwood.record.json;
