/** Global indexes on the servers (DELI): entries in tables of their own, kept by observers. */
package io.spyhop.server.global;
