create 'views', {NAME => 'd', METADATA => {'SORTED_VIEW' => 'true'}}, {NAME => 'e'}
spyhop_view_status 'views'
spyhop_view_status 'nothere'
disable 'views'
drop 'views'
