/**
 * The agent inside the JVMs of the stack. It applies mutations, stops the job at breakpoints, slows it down, or shifts
 * its clock. It changes classes of the product when they are loaded; the product has no hooks for it.
 */
package io.cordwood.systemtests.agent;
