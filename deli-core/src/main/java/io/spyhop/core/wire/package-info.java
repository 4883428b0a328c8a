/**
 * Bytes that leave the process: the envelope ({@link io.spyhop.core.wire.Frame}) and the messages
 * between client and region.
 */
package io.spyhop.core.wire;
