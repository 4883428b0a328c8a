spyhop_create_index 'sea', 'weight', COLUMN => 'd:weight', TYPE => 'TEXT_DOUBLE', WAIT => true
spyhop_create_index 'sea', 'boat', COLUMN => 'd:boat', TYPE => 'LONG', KIND => 'global', WAIT => true
spyhop_create_index 'sea', 'caught', COLUMN => 'd:caught', TYPE => 'DATE', KIND => 'stats', WAIT => true
spyhop_list_indexes 'sea'
spyhop_index_status 'sea'
spyhop_query 'sea', "weight < 1 AND boat > -10 AND caught IN ('2026-11-21', '2026-11-20')", COLUMNS => 'd'
spyhop_query 'sea', "", ORDER_BY => 'weight', COLUMNS => 'd:weight'
spyhop_query 'sea', "boat > -10", ORDER_BY => 'weight', DESC => true, COLUMNS => 'd:weight'
spyhop_query 'sea', "", ORDER_BY => 'boat', LIMIT => 2, HINT => 'scan', COLUMNS => 'd:boat'
spyhop_query 'sea', "", LIMIT => 2, COLUMNS => 'd:boat'
fish 'fish4', 'eel', '2', '2026-11-23', 10
spyhop_query 'sea', "weight < 1 OR caught = '2026-11-23'", COLUMNS => ['name', 'weight']
spyhop_query 'sea', "CAST(d:name AS STRING) = 'eel'", COLUMNS => ['d:name', 'd:boat']
put 'sea', 'fish4', 'd:boat', 'text'
spyhop_query 'sea', "caught = '2026-11-23'", COLUMNS => 'd:boat'
spyhop_list_indexes(ORPHANS => true)
spyhop_list_indexes('sea').each { |index| spyhop_drop_index 'sea', index }
