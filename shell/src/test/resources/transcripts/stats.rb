spyhop_create_index 'fish', 'stats', COLUMN => 'd:caught', TYPE => 'DATE', KIND => 'STATS', BLOOM => 64, WAIT => true
spyhop_list_indexes 'fish'
spyhop_index_status 'fish'
spyhop_query 'fish', "caught >= '2026-11-22'"
spyhop_query 'fish', "caught >= '2026-11-22' OR caught IS NULL", COLUMNS => ['d:name', 'd:caught'], LIMIT => 1, PRUNING => false, CONSISTENCY => 'batched'
spyhop_explain 'fish', "caught >= '2026-11-22'"
spyhop_explain 'fish', "caught >= '2026-11-22'", HINT => 'scan', ANALYZE => true
spyhop_statistics 'fish'
spyhop_verify_index 'fish', 'stats'
spyhop_rebuild_index 'fish', 'stats', WAIT => 60
spyhop_rebuild_index 'fish', 'stats'
spyhop_drop_index 'fish', 'stats'
spyhop_list_indexes 'fish'
