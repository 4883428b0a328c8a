# Names of options that the shell does not have itself.
module HBaseConstants
  %w[
    ANALYZE BLOOM BOUNDARIES DESC FLAGS GROUP_BY HINT INCLUDE KIND LAYOUT MAINTENANCE MAX MIN ON_UNAVAILABLE
    ORDER_BY ORPHAN ORPHANS PRUNING REPAIR TIMEOUT WAIT
  ].each { |name| const_set(name, name) unless const_defined?(name, false) }
end
