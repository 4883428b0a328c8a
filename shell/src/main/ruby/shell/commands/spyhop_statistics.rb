module Shell
  module Commands
    # Shows what this shell knows of a table's regions.
    class SpyhopStatistics < ::Spyhop::Command
      def help
        <<~EOF
          Shows what this shell knows of a table's regions, and which of them its queries left out since
          it first queried the table.

            hbase> spyhop_statistics 'orders'
        EOF
      end

      def command(table)
        rows = client.table(table_name(table))
        rows.declaredTypes # which fails where there is no such table
        print_table(%w[WHAT >VALUE], rows(rows.statistics))
      end

      private

      def rows(known)
        [
          ['regions known', count(known.regions)],
          ['of these without statistics', count(known.unknownRegions)],
          ['bytes of statistics', count(known.cacheBytes)],
          ['bytes of memory', count(known.heapBytes)],
          ['queries', count(known.queries)],
          ['regions left out', count(known.regionsPruned)],
          ['regions read', count(known.regionsRead)],
          ['of these with empty memstores', count(known.memstoresSkipped)],
          ['decisions without a request', count(known.hits)],
          ['decisions that waited for one', count(known.misses)],
          ['of these early ones that stood', count(known.confirmed)],
          ['synchronisations', count(known.synchronisations)],
          ['regions asked', count(known.regionsAsked)],
          ['calls to region servers', count(known.calls)],
          ['bytes sent', count(known.bytesSent)],
          ['bytes received', count(known.bytesReceived)],
          ['ms in synchronisations', count(known.synchronisationTime.toMillis)]
        ]
      end
    end
  end
end
