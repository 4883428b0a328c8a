spyhop_verify_index 'broken', 'n'
spyhop_verify_index 'broken', 'n', REPAIR => true
spyhop_verify_index 'broken', 'n'
