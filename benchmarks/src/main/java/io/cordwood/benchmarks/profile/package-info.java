/**
 * Where the CPU of a JVM goes: samples by stage and by column. The stages are files in the resources.
 */
package io.cordwood.benchmarks.profile;
