help 'spyhop'
help 'spyhop_query'
help 'spyhop_aggregate'
