module Spyhop
  # What is asked of a table, as users write it.
  module Where
    java_import 'io.spyhop.client.Consistency'
    java_import 'io.spyhop.client.Query'

    OPTIONS = %w[COLUMNS LIMIT HINT CONSISTENCY PRUNING].freeze

    def self.query(where, options)
      raise ArgumentError, "the condition #{where.inspect} is no text" unless where.is_a?(String)

      columns = options.texts('COLUMNS')
      query = Query.where(where).pruning(options.flag?('PRUNING', true))
      query = query.select(columns.to_java(:string)) unless columns.empty?
      query = query.limit(options.number('LIMIT')) if options.given?('LIMIT')
      query = query.hint(options.text('HINT')) if options.given?('HINT')
      return query unless options.given?('CONSISTENCY')

      query.consistency(Consistency.parse(options.text('CONSISTENCY')))
    end
  end
end
