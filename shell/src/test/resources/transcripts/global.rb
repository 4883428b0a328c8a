spyhop_create_index 'fish', 'global', COLUMN => 'd:boat', TYPE => 'long', KIND => 'global', MAINTENANCE => 'sync', REPAIR => 'staged', SPLITS => [0, 8], WAIT => true
spyhop_list_indexes 'fish'
spyhop_index_status 'fish'
spyhop_query 'fish', "boat = -8"
spyhop_query 'fish', "boat = -8 OR boat IS NULL", COLUMNS => ['d:name', 'd:boat'], LIMIT => 1, PRUNING => false, CONSISTENCY => 'batched'
spyhop_explain 'fish', "boat = -8"
spyhop_explain 'fish', "boat = -8", HINT => 'index', ANALYZE => true
spyhop_statistics 'fish'
spyhop_verify_index 'fish', 'global'
spyhop_verify_index 'fish', 'global', REPAIR => true
spyhop_rebuild_index 'fish', 'global', WAIT => 60
spyhop_rebuild_index 'fish', 'global'
spyhop_drop_index 'fish', 'global'
spyhop_list_indexes 'fish'
