spyhop_create_index 'sea', 'stats', COLUMN => 'd:caught', TYPE => 'DATE', KIND => 'STATS', BLOOM => 64, WAIT => true
spyhop_list_indexes 'sea'
spyhop_index_status 'sea'
spyhop_query 'sea', "caught >= '2026-11-22'"
spyhop_query 'sea', "caught >= '2026-11-22' OR caught IS NULL", COLUMNS => ['d:name', 'd:caught'], LIMIT => 1, PRUNING => false, CONSISTENCY => 'batched'
spyhop_explain 'sea', "caught >= '2026-11-22'"
spyhop_explain 'sea', "caught >= '2026-11-22'", HINT => 'scan', ANALYZE => true
spyhop_statistics 'sea'
spyhop_verify_index 'sea', 'stats'
spyhop_rebuild_index 'sea', 'stats', WAIT => 60
spyhop_rebuild_index 'sea', 'stats'
spyhop_drop_index 'sea', 'stats'
spyhop_list_indexes 'sea'
