def long(number) String.from_java_bytes(org.apache.hadoop.hbase.util.Bytes.toBytes(number.to_java(:long))) end
def fish(row, name, weight, caught, boat) { 'name' => name, 'weight' => weight, 'caught' => caught, 'boat' => long(boat) }.each { |column, value| put 'sea', row, "d:#{column}", value } end
create 'sea', 'd', SPLITS => ['fish3']
fish 'fish1', 'cod, smoked', '1.5', '2026-11-20', 7
fish 'fish2', 'herring', '0.2', '2026-11-21', -8
fish 'fish3', 'perch', '0.7', '2026-11-22', 9
flush 'sea'
spyhop_list_indexes 'sea'
spyhop_index_status 'sea'
spyhop_query 'sea', "CAST(d:name AS STRING) LIKE 'her%'"
