module Shell
  module Commands
    # Creates an index of a column.
    class SpyhopCreateIndex < ::Spyhop::Command
      java_import 'io.spyhop.core.global.IndexTable'
      java_import 'io.spyhop.core.schema.BloomSize'
      java_import 'io.spyhop.core.schema.Boundaries'
      java_import 'io.spyhop.core.schema.ColumnName'
      java_import 'io.spyhop.core.schema.IndexDefinition'
      java_import 'io.spyhop.core.schema.IndexKind'
      java_import 'io.spyhop.core.schema.Layout'
      java_import 'io.spyhop.core.schema.Maintenance'
      java_import 'io.spyhop.core.schema.Repair'
      java_import 'io.spyhop.core.value.ValueType'

      OPTIONS = %w[
        COLUMN TYPE KIND WAIT BLOOM MIN MAX FLAGS INCLUDE LAYOUT MAINTENANCE REPAIR BOUNDARIES SPLITS
      ].freeze

      TYPES = ValueType.values.map(&:name).each_slice(7).map { |some| some.join(', ') }.join(",\n  ")

      def help
        <<~EOF
          Creates an index of a column: its table, its name, its column and how the column's bytes are
          read. It is built in the background while reads and writes go on; queries are right meanwhile.

            KIND => 'local'    index files beside each region's files (the default)
            KIND => 'global'   a table of its own, for conditions that few rows satisfy
            KIND => 'stats'    no index, but statistics by which queries leave out regions, as
                               indexes of the other kinds have them, too

            hbase> spyhop_create_index 'orders', 'price', COLUMN => 'd:totalprice', TYPE => 'DOUBLE'
            hbase> spyhop_create_index 'ns1:orders', 'key', COLUMN => 'd:custkey', TYPE => 'LONG',
                     KIND => 'global', WAIT => true
            hbase> spyhop_create_index 'orders', 'day', COLUMN => 'd:day', TYPE => 'DATE', KIND => 'stats'

          TYPE is one of
            #{TYPES}.
          WAIT => true waits until the index covers all that is there, ten minutes at most;
          WAIT => 30 waits for 30 seconds at most. BLOOM => 'auto', 'off' or a power of two of bits:
          a bloom filter of the column's values beside each region's least and greatest value.

          Of a local index: MIN and MAX, the values that its statistics range over, FLAGS, how many
          intervals they count (100), and LAYOUT => 'clustering', the rows sorted by value, in place
          of 'columnar', values alone; INCLUDE, the only columns whose cells a clustering one stores:

            hbase> spyhop_create_index 'orders', 'price', COLUMN => 'd:totalprice', TYPE => 'DOUBLE',
                     MIN => 0, MAX => 99999, FLAGS => 50, INCLUDE => ['d:custkey', 'd:day']

          Of a global index: MAINTENANCE => 'deferred' (the default) or 'sync'; REPAIR => 'streaming'
          (the default), 'staged' or 'off'; BOUNDARIES => 'values' (the default) or 'none'; and SPLITS,
          values at which its table is split at first, where a sample shall not say it:

            hbase> spyhop_create_index 'orders', 'price', COLUMN => 'd:totalprice', TYPE => 'DOUBLE',
                     KIND => 'global', MAINTENANCE => 'sync', SPLITS => [1000, 20000]
        EOF
      end

      def command(table, name, given = {})
        options = options(given, OPTIONS)
        base = base_table(table)
        index = definition(name, options)
        limit = options.wait
        create(base, index, options.list('SPLITS'))
        say "Created index '#{name}' on table '#{table}'."
        warn_of(client.table(base).remark(index).stream.to_list)
        wait_until_active(base, name, limit) if limit
      end

      private

      def base_table(table)
        base = table_name(table)
        return base unless IndexTable.isReserved(base)

        raise ArgumentError, "table '#{table}': names with '_spyhop.' are of tables that hold global " \
                             'indexes and have none themselves; name the table that they are of'
      end

      def create(base, index, splits)
        return index_admin.createIndex(base, index) if splits.empty?

        index_admin.createIndex(base, index, java.util.ArrayList.new(splits))
      end

      def definition(name, options)
        builder = IndexDefinition.builder(name).column(options.required('COLUMN'))
        options.required('TYPE')
        builder.type(options.enum('TYPE', ValueType))
        kind = options.enum('KIND', IndexKind) || IndexKind::LOCAL
        builder.kind(kind)
        apply_global(builder, options)
        apply_local(builder, options, kind)
        builder.bloom(BloomSize.parse(options.value('BLOOM').to_s)) if options.given?('BLOOM')
        builder.build
      end

      def apply_global(builder, options)
        builder.maintenance(options.enum('MAINTENANCE', Maintenance)) if options.given?('MAINTENANCE')
        builder.repair(options.enum('REPAIR', Repair)) if options.given?('REPAIR')
        builder.boundaries(options.enum('BOUNDARIES', Boundaries)) if options.given?('BOUNDARIES')
      end

      def apply_local(builder, options, kind)
        if options.given?('FLAGS') && kind != IndexKind::LOCAL
          raise ArgumentError, 'FLAGS: only a local index has them; leave them out'
        end

        builder.flags(options.number('FLAGS')) if options.given?('FLAGS')
        builder.range(options.value('MIN'), options.value('MAX'))
        builder.layout(options.enum('LAYOUT', Layout)) if options.given?('LAYOUT')
        included = options.texts('INCLUDE')
        builder.include(included.map { |c| ColumnName.parse(c) }) unless included.empty?
      end
    end
  end
end
