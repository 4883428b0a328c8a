module Shell
  module Commands
    # Shows how far the last rebalance of a bucketed table is.
    class SpyhopRebalanceStatus < ::Spyhop::Command
      TITLES = %w[BUCKET FROM TO STATE >FILES >SIZE >MISSING >HELD].freeze
      PHASES = {
        'BEGIN' => 'it runs', 'COMMIT' => 'it runs', 'WAITING' => 'it waits', 'DONE' => 'done',
        'ABORTED' => 'it was given up', 'STOPPED' => 'it was stopped, and none begins by itself'
      }.freeze

      def help
        <<~EOF
          Shows how far the last rebalance of a bucketed table is, or how it ended: each bucket that was
          moved, that moves, and that is left. 'spyhop rebalance' begins, follows and stops one.

            hbase> spyhop_rebalance_status 'orders'

            FILES, SIZE  index files that were copied to the new server
            MISSING      index files that the bucket should have had and had not when it was moved
            HELD         for how long its writes were held up
        EOF
      end

      def command(table)
        last = client.buckets.lastRebalance(table_name(table))
        if last.isPresent
          show(last.get)
        else
          say "Table '#{table}' was not rebalanced yet."
        end
        nil
      end

      private

      def show(state)
        say "Rebalance by user '#{state.user}': #{PHASES.fetch(state.phase.name)}."
        say state.note unless state.note.empty?
        moved = state.moves.each_with_index.map { |m, i| row(m, i < state.moved ? 'moved' : 'moves') }
        print_table(TITLES, moved + state.left.map { |m| row(m, 'left') })
      end

      def row(move, state)
        [
          move.bucket, move.from.getAddress, move.to.getAddress, state, count(move.files),
          megabytes(move.bytes), count(move.missing), format('%.1f s', move.blockedMillis / 1e3)
        ]
      end
    end
  end
end
