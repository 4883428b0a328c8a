spyhop_create_index 'fish', 'local', COLUMN => 'd:weight', TYPE => 'TEXT_DOUBLE', KIND => 'local', MIN => 0, MAX => 10, FLAGS => 20, INCLUDE => ['d:caught'], BLOOM => 'auto', WAIT => true
spyhop_list_indexes 'fish'
spyhop_index_status 'fish'
spyhop_query 'fish', "weight BETWEEN 0.5 AND 1"
spyhop_query 'fish', "weight BETWEEN 0.5 AND 1 OR weight IS NULL", COLUMNS => ['d:name', 'd:weight'], LIMIT => 1, PRUNING => false, CONSISTENCY => 'batched'
spyhop_explain 'fish', "weight BETWEEN 0.5 AND 1"
spyhop_explain 'fish', "weight BETWEEN 0.5 AND 1", HINT => 'index', ANALYZE => true
spyhop_statistics 'fish'
spyhop_verify_index 'fish', 'local'
spyhop_rebuild_index 'fish', 'local', WAIT => 60
spyhop_rebuild_index 'fish', 'local'
spyhop_drop_index 'fish', 'local'
spyhop_list_indexes 'fish'
