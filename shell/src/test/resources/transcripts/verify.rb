spyhop_verify_index 'damaged', 'n'
spyhop_verify_index 'damaged', 'n', REPAIR => true
spyhop_verify_index 'damaged', 'n'
