/** Calls that may fail with an IOException. */
package io.spyhop.core.io;
