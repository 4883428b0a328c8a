create 'fish', 'd'
put 'fish', 'a', 'd:n', '7'
spyhop_create_index 'fish', 'n', COLUMN => 'd:n', TYPE => 'LONG'
spyhop_create_index 'fish', 'n', COLUMN => 'd:n', TYPE => 'LONG', KIND => 'global'
spyhop_create_index 'fish', 'n', COLUMN => 'd:n', TYPE => 'LONG', KIND => 'stats'
spyhop_list_indexes 'fish'
spyhop_index_status 'fish'
spyhop_query 'fish', "n = 7"
spyhop_explain 'fish', "CAST(d:n AS TEXT_LONG) = 7"
spyhop_verify_index 'fish', 'n'
spyhop_rebuild_index 'fish', 'n'
spyhop_drop_index 'fish', 'n'
spyhop_jobs
spyhop_list_indexes ORPHANS => true
