module Shell
  module Commands
    # Lists the indexes of a table as they were declared.
    class SpyhopListIndexes < ::Spyhop::Command
      java_import 'io.spyhop.core.schema.GlobalOptions'
      java_import 'io.spyhop.core.schema.LocalOptions'

      TITLES = %w[INDEX KIND COLUMN TYPE MIN MAX >FLAGS STORES BLOOM MAINTENANCE REPAIR].freeze

      def help
        <<~EOF
          Lists the indexes of a table as they were declared, and returns their names. What an index of
          its kind does not have is a dash.

            hbase> spyhop_list_indexes 'orders'
            hbase> spyhop_list_indexes 'ns1:orders'

          With ORPHANS, lists tables of global indexes that no table's definition names, in the whole
          cluster; spyhop_drop_index ORPHAN => 'INDEXTABLE' drops one:

            hbase> spyhop_list_indexes ORPHANS => true
        EOF
      end

      def command(what)
        return indexes(table_name(what)) unless what.is_a?(Hash)
        return orphans if options(what, %w[ORPHANS]).flag?('ORPHANS')

        raise ArgumentError, 'name a table, or say ORPHANS => true'
      end

      private

      def indexes(table)
        indexes = index_admin.listIndexes(table)
        print_table(TITLES, indexes.map { |i| row(i) })
        say_unreadable(table)
        indexes.map(&:name)
      end

      def row(index)
        [index.name, index.kind, index.column, index.type] + local(index) + [index.bloom] + global(index)
      end

      def local(index)
        options = index.options
        return [NONE] * 4 unless options.is_a?(LocalOptions)

        [options.min.orElse(nil) || NONE, options.max.orElse(nil) || NONE, index.flags, options.stored]
      end

      def global(index)
        options = index.options
        options.is_a?(GlobalOptions) ? [options.maintenance, options.repair] : [NONE] * 2
      end

      def orphans
        orphans = index_admin.orphans
        print_table(['INDEX TABLE', 'ORPHANED BECAUSE'], orphans.map { |o| [o.table, o.why] })
        orphans.map { |o| o.table.getNameAsString }
      end
    end
  end
end
