/** Bytes that leave the process: the envelope ({@link io.spyhop.core.wire.Frame}). */
package io.spyhop.core.wire;
