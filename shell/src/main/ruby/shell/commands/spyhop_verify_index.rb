module Shell
  module Commands
    # Compares an index with its table.
    class SpyhopVerifyIndex < ::Spyhop::Command
      java_import 'io.spyhop.core.schema.IndexSchema'

      def help
        <<~EOF
          Compares an index with its table, while writes go on: of a global index the entries with the
          cells, both ways; of a local one what it finds with what a scan finds; of statistics whether
          they contain every stored cell.

            hbase> spyhop_verify_index 'orders', 'price'

          Missing entries hide rows from queries through the index; dangling ones cost reads a look. Those
          of overwritten values go after flushes and compactions, those of failed writes when reads meet
          them twice within a minute. With REPAIR, adds what a global index lacks, and has dangling
          entries removed when the grace period is over:

            hbase> spyhop_verify_index 'orders', 'price', REPAIR => true

          It is an error if something is missing and is not added, or could not be compared.
        EOF
      end

      def command(table, name, given = {})
        repair = options(given, %w[REPAIR]).flag?('REPAIR')
        base = table_name(table)
        report = index_admin.verify(base, name, repair)
        print_table(%w[COMPARED >ALL >WRONG STATE], rows(report, statistics?(base, name), repair))
        samples(report)
        complain(report, name, table, repair)
      end

      private

      def statistics?(base, name)
        IndexSchema.of(index_admin.listIndexes(base)).statistics.index(name).isPresent
      end

      def rows(report, statistics, repair)
        rows = [['cells', count(report.cells), count(report.missing), missing(report, repair)]]
        return rows if statistics # they have no entries

        rows << ['entries', count(report.entries), count(report.dangling), dangling(report, repair)]
      end

      def missing(report, repair)
        return "#{count(report.unchecked)} not compared" if report.unchecked.positive?
        return 'all are there' if report.missing.zero?

        repair ? 'missing, added now' : 'missing'
      end

      def dangling(report, repair)
        return 'none dangles' if report.dangling.zero?

        repair ? 'dangling, removed after the grace period' : 'dangling'
      end

      def samples(report)
        report.missingSamples.each { |e| say "missing: #{e}" }
        report.danglingSamples.each { |e| say "dangling: #{e}" }
      end

      def complain(report, name, table, repair)
        if report.missing.positive? && !repair
          raise ::Spyhop::Error, "index '#{name}' of table '#{table}' lacks #{count(report.missing)} of " \
                                 "#{count(report.cells)} cells; make it anew with spyhop_rebuild_index, " \
                                 'or add them to a global index with REPAIR => true'
        end
        return unless report.unchecked.positive?

        raise ::Spyhop::Error, "index '#{name}' of table '#{table}': #{count(report.unchecked)} of " \
                               "#{count(report.cells)} cells could not be compared, as something is not " \
                               'built or does not answer; see spyhop_index_status'
      end
    end
  end
end
