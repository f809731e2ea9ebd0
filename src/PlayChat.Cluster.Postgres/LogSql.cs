namespace PlayChat.Cluster.Postgres;

internal static class LogSql
{
    public const string Listen = "listen pc_shard";

    public const string CreateShards =
        """
        insert into pc_shard (id, epoch) select i, extract(epoch from clock_timestamp())::bigint from generate_series(0, $1 - 1) i
        on conflict do nothing
        """;

    public const string Shards = "select id, epoch from pc_shard order by id";

    public const string Shard = "select epoch, seq from pc_shard where id = $1";

    /// <summary>The last batch of this node that each shard holds.</summary>
    public const string LastBatches = "select shard, max(batch) from pc_log where origin = $1 and incarnation = $2 group by shard";

    /// <summary>The row lock on the shard makes the order of commits the order of numbers, so no reader sees a number before a smaller
    /// one. The notification is only a wake-up.</summary>
    public const string Append =
        """
        with s as (update pc_shard set seq = seq + 1 where id = $1 returning seq),
             l as (insert into pc_log (shard, seq, origin, incarnation, batch, body) select $1, s.seq, $2, $3, $4, $5 from s returning seq)
        select pg_notify('pc_shard', '') from l
        """;

    /// <summary>The next batches of several shards, at most 200 of each.</summary>
    public const string Read =
        """
        select w.i, l.seq, l.body
        from unnest($1, $2) with ordinality as w (shard, after, i)
        cross join lateral (select seq, body from pc_log where shard = w.shard and seq > w.after order by seq limit 200) l
        order by w.i, l.seq
        """;

    /// <summary>Begins a new epoch of a shard, unless another node has.</summary>
    public const string RaiseEpoch =
        """
        update pc_shard set epoch = greatest(epoch + 1, extract(epoch from clock_timestamp())::bigint) where id = $1 and epoch = $2
        """;

    public const string Trim =
        """
        delete from pc_log
        where ctid = any (array (select ctid from pc_log where stored_at < clock_timestamp() - $1 limit 10000 for update skip locked))
        """;
}
