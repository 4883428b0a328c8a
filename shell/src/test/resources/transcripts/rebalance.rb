create 'shoal', 'd', SPLIT_POLICY => 'io.spyhop.server.bucket.BucketSplitPolicy', METADATA => {'spyhop.buckets' => 'v=1;hash=murmur3_32:1;width=2;bits=4;initial=1;max=1000000'}
spyhop_rebalance_status 'shoal'
spyhop_rebalance_status 'sea'
disable 'shoal'
drop 'shoal'
