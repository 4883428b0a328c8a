spyhop_create_index 'fish', 'weight', COLUMN => 'd:weight', TYPE => 'TEXT_DOUBLE', WAIT => true
scan 'fish', FILTER => spyhop_filter('fish', "CAST(d:name AS STRING) >= 'herring'")
scan 'fish', FILTER => "SingleColumnValueFilter('d', 'name', >=, 'binary:herring', true, true)"
scan 'fish', COLUMNS => ['d:name', 'd:weight'], LIMIT => 1, FILTER => spyhop_filter('fish', "weight BETWEEN 0.1 AND 0.9")
scan 'fish', FILTER => spyhop_filter('fish', "weight > 100")
spyhop_filter 'fish', "weight > 100"
spyhop_drop_index 'fish', 'weight'
