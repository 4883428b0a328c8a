# Spyhop's commands for the HBase shell (docs/shell.md). One line in ~/.irbrc brings them:
#
#   require '/opt/spyhop-shell/spyhop'

# Every irb reads ~/.irbrc, also one that is no HBase shell.
return unless defined?(::Shell::Commands::Command)

$LOAD_PATH.unshift(__dir__) unless $LOAD_PATH.include?(__dir__)
Dir[File.join(__dir__, 'lib', '*.jar')].sort.each { |jar| require jar }

require 'spyhop/constants'
require 'spyhop/command'
require 'spyhop/checked_scan'

unless ::Shell.command_groups['spyhop']
  ::Shell.load_command_group(
    'spyhop',
    full_name: 'SPYHOP: INDEXES, AND QUERIES BY VALUE',
    commands: %w[
      spyhop_create_index
      spyhop_drop_index
      spyhop_rebuild_index
      spyhop_list_indexes
      spyhop_index_status
      spyhop_verify_index
      spyhop_query
      spyhop_aggregate
      spyhop_explain
      spyhop_filter
      spyhop_statistics
      spyhop_jobs
      spyhop_view_status
      spyhop_rebalance_status
    ]
  )
end

# Required in a running session, not by its ~/.irbrc: the session gets the commands, too.
session = IRB.CurrentContext if defined?(::IRB)
if session
  receiver = session.workspace.binding.receiver
  receiver.instance_variable_get(:@shell)&.export_commands(receiver)
end
