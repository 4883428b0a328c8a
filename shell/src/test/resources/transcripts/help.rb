help 'spyhop'
help 'spyhop_query'
