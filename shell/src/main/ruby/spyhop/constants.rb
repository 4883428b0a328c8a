# Names of options that the shell does not have itself.
module HBaseConstants
  %w[
    ANALYZE BLOOM BOUNDARIES FLAGS HINT INCLUDE KIND MAINTENANCE MAX MIN ORPHAN ORPHANS PRUNING
    REPAIR WAIT
  ].each { |name| const_set(name, name) unless const_defined?(name, false) }
end
