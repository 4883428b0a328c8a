module Shell
  module Commands
    # Shows how far the sorted views of a table are.
    class SpyhopViewStatus < ::Spyhop::Command
      TITLES = %w[REGION SERVER FAMILY >IN_VIEW >CELLS >SIZE PENDING >TOO_LARGE >DAMAGED].freeze

      def help
        <<~EOF
          Shows how far the sorted views of a table are, region by region, for the families that have
          SORTED_VIEW.

            hbase> spyhop_view_status 'orders'

            IN_VIEW    HFiles that the view is of / HFiles; the others are read beside it
            CELLS      cells in the view
            SIZE       memory that it takes
            PENDING    yes if a job waits or runs that makes a newer one
            TOO_LARGE  how often there was no room for a view, since the region has been open
            DAMAGED    how often one was damaged, or said what is not so
        EOF
      end

      def command(table)
        views = index_admin.viewStatus(table_name(table)).to_a
        print_table(TITLES, views.map { |v| row(v) })
        views.each { |v| say "region #{v.region}: #{v.problem}" unless v.problem.empty? }
        nil
      end

      private

      def row(view)
        in_view = view.isPossible ? "#{view.inView}/#{view.hfiles}" : NONE
        [
          view.region, view.server, view.family, in_view, count(view.cells), megabytes(view.bytes),
          view.isPending ? 'yes' : 'no', view.unused, view.damaged
        ]
      end
    end
  end
end
