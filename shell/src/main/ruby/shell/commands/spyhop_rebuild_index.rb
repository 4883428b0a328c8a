module Shell
  module Commands
    # Makes an index anew.
    class SpyhopRebuildIndex < ::Spyhop::Command
      def help
        <<~EOF
          Makes an index anew, as if it were dropped and created. A global index needs it when its table
          is gone or another's, as after a clone of its base table. Queries are right meanwhile.
          WAIT is as with spyhop_create_index.

            hbase> spyhop_rebuild_index 'orders', 'price'
            hbase> spyhop_rebuild_index 'orders', 'price', WAIT => true
        EOF
      end

      def command(table, name, given = {})
        limit = options(given, %w[WAIT]).wait
        base = table_name(table)
        index_admin.rebuildIndex(base, name)
        say "Index '#{name}' of table '#{table}' is being built again."
        wait_until_active(base, name, limit) if limit
      end
    end
  end
end
