module Spyhop
  # What is asked of a table, as users write it.
  module Where
    java_import 'io.spyhop.client.Consistency'
    java_import 'io.spyhop.client.OnUnavailable'
    java_import 'io.spyhop.client.Order'
    java_import 'io.spyhop.client.Query'

    WAYS = %w[HINT CONSISTENCY PRUNING ON_UNAVAILABLE TIMEOUT].freeze
    OPTIONS = %w[COLUMNS LIMIT HINT CONSISTENCY PRUNING ON_UNAVAILABLE TIMEOUT ORDER_BY DESC].freeze

    def self.query(where, options)
      raise ArgumentError, "the condition #{where.inspect} is no text" unless where.is_a?(String)

      columns = options.texts('COLUMNS')
      query = ordered(where, options).pruning(options.flag?('PRUNING', true))
      query = query.select(columns.to_java(:string)) unless columns.empty?
      query = query.limit(options.number('LIMIT')) if options.given?('LIMIT')
      query = query.hint(options.text('HINT')) if options.given?('HINT')
      query = query.onUnavailable(unavailable(options)) if options.given?('ON_UNAVAILABLE')
      query = query.timeout(java.time.Duration.ofSeconds(options.number('TIMEOUT'))) if options.given?('TIMEOUT')
      return query unless options.given?('CONSISTENCY')

      query.consistency(Consistency.parse(options.text('CONSISTENCY')))
    end

    def self.unavailable(options)
      word = options.text('ON_UNAVAILABLE')
      OnUnavailable.values.find { |o| o.name.casecmp?(word) } ||
        raise(ArgumentError, "ON_UNAVAILABLE is 'scan' or 'fail', not #{word.inspect}")
    end

    # An empty condition asks for every row; with an order, for every one that has a value in the column.
    def self.ordered(where, options)
      column = options.text('ORDER_BY')
      descending = options.flag?('DESC')
      raise ArgumentError, 'DESC is for ORDER_BY, which is missing' if descending && column.nil?
      query = where.strip.empty? ? Query.all : Query.where(where)
      return query if column.nil?

      query.orderBy(column, descending ? Order::DESC : Order::ASC)
    end
    private_class_method :ordered, :unavailable
  end
end
