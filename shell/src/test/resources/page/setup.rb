create 'fish', 'd', SPLITS => ['fish3']
put 'fish', 'fish1', 'd:name', 'cod, smoked'
put 'fish', 'fish1', 'd:weight', '1.5'
put 'fish', 'fish1', 'd:caught', '2026-11-20'
put 'fish', 'fish1', 'd:boat', "\x00\x00\x00\x00\x00\x00\x00\x07"
put 'fish', 'fish2', 'd:name', 'herring'
put 'fish', 'fish2', 'd:weight', '0.2'
put 'fish', 'fish2', 'd:caught', '2026-11-21'
put 'fish', 'fish2', 'd:boat', "\x00\x00\x00\x00\x00\x00\x00\x08"
put 'fish', 'fish3', 'd:name', 'perch'
put 'fish', 'fish3', 'd:weight', '0.7'
put 'fish', 'fish3', 'd:caught', '2026-11-22'
put 'fish', 'fish3', 'd:boat', "\x00\x00\x00\x00\x00\x00\x00\x09"
flush 'fish'
