module Shell
  module Commands
    # Drops an index, or a table that an index has left.
    class SpyhopDropIndex < ::Spyhop::Command
      def help
        <<~EOF
          Drops an index. The table's data stays as it is; files of the index go in the background.

            hbase> spyhop_drop_index 'orders', 'price'

          With ORPHAN, drops a table that an index has left, see help 'spyhop_list_indexes':

            hbase> spyhop_drop_index ORPHAN => '_spyhop.orders.price'
        EOF
      end

      def command(*args)
        orphan = args.size == 1 && args[0].is_a?(Hash)
        orphan ? drop_orphan(options(args[0], %w[ORPHAN]).required('ORPHAN')) : drop(*args)
      end

      private

      def drop(table, name)
        index_admin.dropIndex(table_name(table), name)
        say "Dropped index '#{name}' of table '#{table}'."
      end

      def drop_orphan(name)
        table = table_name(name)
        unless index_admin.orphans.any? { |o| o.table == table }
          raise ArgumentError, "'#{name}' is no orphaned index table; spyhop_list_indexes ORPHANS => true " \
                               "lists those that are, and spyhop_drop_index 'TABLE', 'NAME' drops an " \
                               'index that a table has'
        end
        index_admin.dropOrphan(table)
        say "Dropped index table '#{name}'."
      end
    end
  end
end
