spyhop_create_index 'sea', 'local', COLUMN => 'd:weight', TYPE => 'TEXT_DOUBLE', KIND => 'local', MIN => 0, MAX => 10, FLAGS => 20, INCLUDE => ['d:caught'], BLOOM => 'auto', WAIT => true
spyhop_list_indexes 'sea'
spyhop_index_status 'sea'
spyhop_query 'sea', "weight BETWEEN 0.5 AND 1"
spyhop_query 'sea', "weight BETWEEN 0.5 AND 1 OR weight IS NULL", COLUMNS => ['d:name', 'd:weight'], LIMIT => 1, PRUNING => false, CONSISTENCY => 'batched'
spyhop_query 'sea', "weight < 1", COLUMNS => 'd:wieght'
spyhop_query 'sea', "CAST(d:weight AS LONG) = 1"
spyhop_aggregate 'sea', "weight BETWEEN 0.5 AND 2", 'count(*), sum(weight), avg(CAST(boat AS LONG))'
spyhop_aggregate 'sea', "", 'max(weight)', GROUP_BY => ['CAST(d:name AS STRING)'], HINT => 'scan'
spyhop_aggregate 'sea', "", 'sum(CAST(d:name AS STRING))'
spyhop_explain 'sea', "weight BETWEEN 0.5 AND 1"
spyhop_explain 'sea', "weight BETWEEN 0.5 AND 1", HINT => 'index', ANALYZE => true
spyhop_statistics 'sea'
spyhop_verify_index 'sea', 'local'
spyhop_rebuild_index 'sea', 'local', WAIT => 60
spyhop_rebuild_index 'sea', 'local'
spyhop_drop_index 'sea', 'local'
spyhop_list_indexes 'sea'
