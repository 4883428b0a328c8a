/** Settings, and versions: {@link io.spyhop.core.conf.CheckedSettings}. */
package io.spyhop.core.conf;
