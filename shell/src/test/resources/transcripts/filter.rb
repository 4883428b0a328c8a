spyhop_create_index 'sea', 'weight', COLUMN => 'd:weight', TYPE => 'TEXT_DOUBLE', WAIT => true
scan 'sea', FILTER => spyhop_filter('sea', "CAST(d:name AS STRING) >= 'herring'")
scan 'sea', FILTER => "SingleColumnValueFilter('d', 'name', >=, 'binary:herring', true, true)"
scan 'sea', COLUMNS => ['d:name', 'd:weight'], LIMIT => 1, FILTER => spyhop_filter('sea', "weight BETWEEN 0.1 AND 0.9")
scan 'sea', FILTER => spyhop_filter('sea', "weight > 100")
scan 'sea', COLUMNS => ['d:name'], FILTER => spyhop_filter('sea', "weight > 100 AND CAST(d:name AS STRING) > 'a'")
spyhop_filter 'sea', "weight > 100"
spyhop_drop_index 'sea', 'weight'
