/**
 * Index files of another region server (LCIndex, section III.C.4, "RemoteJob"): {@link
 * io.spyhop.server.index.local.remote.FileServer} answers what this server has, {@link
 * io.spyhop.server.index.local.remote.FileFetcher} asks the others. Files are named by identity
 * (region, HFile, index definition), never by path, and travel as they are on the disk, encrypted
 * where the family is.
 */
package io.spyhop.server.index.local.remote;
