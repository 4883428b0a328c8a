spyhop_create_index 'sea', 'weight', COLUMN => 'd:weight', TYPE => 'TEXT_DOUBLE', WAIT => true
spyhop_query 'nothere', "price > 20"
spyhop_query 'nons:nothere', "price > 20"
spyhop_query 'a b', "price > 20"
spyhop_query 5, "price > 20"
spyhop_query 'sea'
spyhop_query 'sea', "price >"
spyhop_query 'sea', "price > 5"
spyhop_query 'sea', "weight > 'x'"
spyhop_query 'sea', "weight > 1", 'FOO' => 1
spyhop_query 'sea', "weight > 1", LIMIT => 'x'
spyhop_query 'sea', "weight > 1", LIMIT => 0
spyhop_query 'sea', "weight > 1", HINT => 'nix'
spyhop_query 'sea', "weight > 1", ON_UNAVAILABLE => 'wait'
spyhop_create_index 'sea', 'size', COLUMN => 'd:weight', TYPE => 'DOUBLE', LAYOUT => 'flat'
spyhop_query 'sea', "weight > 1", CONSISTENCY => 'nix'
spyhop_query 'sea', "weight > 1", 'x'
spyhop_create_index 'sea', 'x'
spyhop_create_index 'sea', 'x', COLUMN => 'name', TYPE => 'LONG'
spyhop_create_index 'sea', 'x', COLUMN => 'q:name', TYPE => 'LONG'
spyhop_create_index 'sea', 'x', COLUMN => 'd:name', TYPE => 'LONK'
spyhop_create_index 'sea', 'x', COLUMN => 'd:name', TYPE => 'LONG', KIND => 'x'
spyhop_create_index 'sea', 'x', COLUMN => 'd:name', TYPE => 'LONG', KIND => 'stats', FLAGS => 5
spyhop_create_index 'sea', 'x', COLUMN => 'd:name', TYPE => 'LONG', SPLITS => [5]
spyhop_create_index 'sea', 'x', COLUMN => 'd:name', TYPE => 'LONG', KIND => 'global', SPLITS => ['a']
spyhop_create_index 'sea', 'x', COLUMN => 'd:name', TYPE => 'LONG', BLOOM => 'a'
spyhop_create_index 'sea', 'x', COLUMN => 'd:name', TYPE => 'LONG', MIN => 'a', MAX => 4
spyhop_create_index 'sea', 'x', COLUMN => 'd:name', TYPE => 'LONG', WAIT => -1
spyhop_create_index 'sea', 'weight', COLUMN => 'd:weight', TYPE => 'TEXT_DOUBLE'
spyhop_create_index 'sea', 'weight2', COLUMN => 'd:weight', TYPE => 'STRING'
spyhop_create_index 'nothere', 'weight', COLUMN => 'd:weight', TYPE => 'TEXT_DOUBLE'
spyhop_drop_index 'sea', 'nix'
spyhop_drop_index 'sea'
spyhop_drop_index ORPHAN => 'sea'
spyhop_rebuild_index 'sea', 'nix'
spyhop_list_indexes 'nothere'
spyhop_list_indexes ORPHANS => false
spyhop_index_status 'nothere'
spyhop_statistics 'nothere'
spyhop_verify_index 'sea', 'nix'
spyhop_verify_index 'sea', 'weight', REPAIR => true
spyhop_explain 'nothere', "x = 5"
spyhop_filter 'sea', "x = 5"
spyhop_jobs 'sea'
spyhop_create_index '_spyhop.fish.boat', 'x', COLUMN => 'd:name', TYPE => 'LONG'
spyhop_create_index 'sea', 'x', COLUMN => 'd:name', TYPE => 'LONG', MAINTENANCE => 'sync'
spyhop_create_index 'sea', 'x', COLUMN => 'd:name', TYPE => 'LONG', KIND => 'global', INCLUDE => 'd:boat'
spyhop_create_index 'sea', '1x', COLUMN => 'd:name', TYPE => 'LONG'
spyhop_query 'sea', "weight > 1", COLUMNS => 'q:x'
spyhop_query 'sea', nil
spyhop_query 'sea', "weight > 1", PRUNING => 'x'
spyhop_verify_index 'nothere', 'weight'
spyhop_filter 'nothere', "weight > 1"
spyhop_drop_index 'nothere', 'weight'
spyhop_rebuild_index 'nothere', 'weight'
disable 'sea'
spyhop_query 'sea', "weight > 1"
spyhop_explain 'sea', "weight > 1"
spyhop_verify_index 'sea', 'weight'
enable 'sea'
spyhop_drop_index 'sea', 'weight'
