package io.spyhop.cli.output;

import io.spyhop.bench.deli.DeliReport;
import io.spyhop.bench.deli.DeliReport.Overhead;
import io.spyhop.bench.mdrq.BenchReport;

/** The papers' figures of their own systems, to stand beside what was measured here. Stateless. */
final class PaperFigures {
  /** LCIndex, section IV.B.1: of raw HBase's throughput. */
  private static final double LCINDEX_INSERT = 0.725;

  /** LCIndex, section IV.B.4: of raw HBase's storage. */
  private static final double LCINDEX_STORAGE = 2.31;

  /** DELI, section VI.B: figure 7, deferred against update-in-place. */
  private static final double DELI_WRITES = 3;

  /** DELI, section VI.B: figure 8a, at a share of reads of 0.1. */
  private static final double DELI_MIXED = 2.5;

  private static final double DELI_MIXED_READS = 0.1;

  /** DELI, table II: seconds of the update-in-place index and of DELI. */
  private static final double DELI_OVERHEAD = 4619.456 / 1553.158;

  private PaperFigures() {}

  private static TextTable table() {
    return new TextTable("figure", ">paper", ">here");
  }

  static TextTable lcindex(BenchReport report) {
    TextTable table = table();
    table.add(
        "inserts, of those without indexes",
        Texts.ratio(LCINDEX_INSERT),
        Texts.ratio(report.insert().ratio()));
    table.add("the same, until all is indexed", "-", Texts.ratio(report.insert().indexedRatio()));
    BenchReport.DiskBytes bytes = report.bytes();
    double all = (double) bytes.base() + bytes.ifiles() + bytes.sfiles();
    table.add(
        "storage, of that without indexes",
        Texts.ratio(LCINDEX_STORAGE),
        Texts.ratio(bytes.base() == 0 ? 0 : all / bytes.base()));
    return table;
  }

  static TextTable deli(DeliReport report) {
    TextTable table = table();
    table.add(
        "writing, deferred / synchronous",
        Texts.ratio(DELI_WRITES),
        Texts.ratio(report.write().ratio()));
    report.mixed().stream()
        .filter(m -> m.readRatio() == DELI_MIXED_READS)
        .forEach(
            m ->
                table.add(
                    "a tenth of reads, deferred / synchronous",
                    Texts.ratio(DELI_MIXED),
                    Texts.ratio(m.ratio())));
    double deferred = total(report, "deferred");
    table.add(
        "writing and compaction, time of synchronous / deferred",
        Texts.ratio(DELI_OVERHEAD),
        Texts.ratio(deferred == 0 ? 0 : total(report, "sync") / deferred));
    return table;
  }

  private static double total(DeliReport report, String mode) {
    return report.overhead().stream()
        .filter(o -> o.mode().equals(mode))
        .mapToDouble(Overhead::totalS)
        .sum();
  }
}
