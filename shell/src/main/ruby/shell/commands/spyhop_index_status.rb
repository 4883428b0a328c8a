module Shell
  module Commands
    # Shows how far the indexes of a table are.
    class SpyhopIndexStatus < ::Spyhop::Command
      java_import 'io.spyhop.client.IndexStatus'

      TITLES = %w[
        INDEX KIND COLUMN TYPE STATE >COVERED >REGIONS >ENTRIES >UNDECODABLE >UNKEYABLE >IFILES
        >SFILES >PENDING REPAIRED
      ].freeze

      def help
        <<~EOF
          Shows how far the indexes of a table are, summed over its regions.

            hbase> spyhop_index_status 'orders'
            hbase> spyhop_index_status 'ns1:orders'

            STATE        ACTIVE if every HFile is covered, else BUILDING: queries are right in both
            COVERED      HFiles with index files / HFiles; of a global index: regions of the table that
                         are built / regions; of statistics: regions that know them / regions
            REGIONS      regions that answered / regions
            ENTRIES      index entries
            UNDECODABLE  cells that are no value of the declared type
            UNKEYABLE    values without an order-preserving key, which every query reads
            IFILES       size of the index files
            SFILES       size of their statistics; of statistics alone: of what regions tell clients
            PENDING      jobs that wait or run; of a global index: repairs of its entries
            REPAIRED     up to when all that flushes and compactions found obsolete has been repaired

          What is not counted for an index of its kind is a dash.
        EOF
      end

      def command(table)
        indexes = index_admin.status(table_name(table))
        print_table(TITLES, indexes.map { |s| row(s) })
        indexes.each { |s| s.build.ifPresent { |b| say "index '#{s.name}' is being built: #{b}" } }
        indexes.each { |s| s.errors.each { |e| say "error in index '#{s.name}': #{e}" } }
        say_unreadable(table_name(table))
        nil
      end

      private

      def row(status)
        index = status.definition
        [index.name, index.kind, index.column, index.type, status.state] + of_kind(status)
      end

      def of_kind(status)
        case status
        when IndexStatus::Local then local(status)
        when IndexStatus::Global then global(status)
        when IndexStatus::Statistics then statistics(status)
        end
      end

      def local(status)
        [
          "#{status.covered}/#{status.files}", "#{status.regionsAnswered}/#{status.regions}",
          count(status.entries), count(status.undecodable), count(status.unkeyable),
          megabytes(status.ifileBytes), megabytes(status.sfileBytes), status.pending, NONE
        ]
      end

      def global(status)
        up_to = status.repairedUpTo
        repaired = up_to.positive? ? java.time.Instant.ofEpochMilli(up_to).to_s : NONE
        ["#{status.built}/#{status.regions}"] + [NONE] * 6 + [status.repairs, repaired]
      end

      def statistics(status)
        ["#{status.known}/#{status.regions}"] + [NONE] * 5 + [megabytes(status.bytes), NONE, NONE]
      end
    end
  end
end
