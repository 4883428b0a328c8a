/**
 * Scanners, one for each way to answer a scan: {@code PlainScanner}, {@code SegmentScanner} (skips
 * rows by statistics), {@code IndexScanner}, {@code PatientScanner} (begins as a scan and may
 * change to an index), {@code OrderedScanner} (order of values), {@code KeyOrderScanner} (order of
 * users' keys) and {@code RefusedScanner}. They share a {@link
 * io.spyhop.server.query.scan.QueryRegion}. {@code ScannerContractTest} is the contract.
 */
package io.spyhop.server.query.scan;
