// Each test measures what others feel while it attacks: no two of them run at once.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
