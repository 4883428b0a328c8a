module Spyhop
  # Refuses scans of the shell whose filter is a condition on columns that they do not select. A
  # region does so, too, but what it throws is printed by HBase's client with all its frames.
  module CheckedScan
    java_import 'io.spyhop.core.predicate.PredicateFilter'
    java_import 'io.spyhop.core.predicate.ScanSettings'

    def _hash_to_scan(args)
      scan = super
      filter = scan.getFilter
      CheckedScan.check(scan, filter.predicate) if filter.is_a?(PredicateFilter)
      scan
    end

    def self.check(scan, predicate)
      missing = predicate.columns.reject { |column| ScanSettings.selects(scan, column) }
      return if missing.empty?

      raise ArgumentError, "the condition reads #{missing.map { |c| "'#{c.name}'" }.join(', ')}, which " \
                           'the scan does not select: add it to COLUMNS'
    end
  end
end

::Hbase::Table.prepend(::Spyhop::CheckedScan)
