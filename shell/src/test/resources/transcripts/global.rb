spyhop_create_index 'sea', 'global', COLUMN => 'd:boat', TYPE => 'long', KIND => 'global', MAINTENANCE => 'sync', REPAIR => 'staged', SPLITS => [0, 8], WAIT => true
spyhop_list_indexes 'sea'
spyhop_index_status 'sea'
spyhop_query 'sea', "boat = -8"
spyhop_query 'sea', "boat = -8 OR boat IS NULL", COLUMNS => ['d:name', 'd:boat'], LIMIT => 1, PRUNING => false, CONSISTENCY => 'batched'
spyhop_explain 'sea', "boat = -8"
spyhop_explain 'sea', "boat = -8", HINT => 'index', ANALYZE => true
spyhop_query 'sea', "boat = -8", HINT => 'index', ON_UNAVAILABLE => 'fail'
spyhop_statistics 'sea'
spyhop_verify_index 'sea', 'global'
spyhop_verify_index 'sea', 'global', REPAIR => true
spyhop_rebuild_index 'sea', 'global', WAIT => 60
spyhop_rebuild_index 'sea', 'global'
spyhop_drop_index 'sea', 'global'
spyhop_list_indexes 'sea'
