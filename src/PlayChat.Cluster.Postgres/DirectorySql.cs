namespace PlayChat.Cluster.Postgres;

/// <summary>The statements of the directory. In all fenced ones $1 is the node's id and $2 its incarnation, and the first column of the
/// answer tells whether the incarnation is in pc_node.</summary>
/// <remarks>
/// <para>An incarnation may write, and its members count, while it is in pc_node, even when its lease has ended. Declaring a node lost
/// moves its row to pc_lost: one small write, for any number of members. A node that registers again moves the row of its earlier life
/// there as well. The members of that life count until its lease would have ended, because they resume meanwhile: pc_life has the lives
/// whose members count.</para>
/// <para>A room in pc_room_owner has an owner while its orphan_until is null. Otherwise the row names the former owner, and the room waits
/// until then for a node with its state; afterwards the row means nothing, and a sweep deletes it.</para>
/// <para>The times are those of the database's clock, which may go back. A time that then lies further ahead than it can is cut by
/// <see cref="HealClock"/>: before a registration, and by the next sweep of any node.</para>
/// <para>A lock is a separate statement before the others in the same transaction. A statement sees only what was committed before it
/// began, so a lock inside the statement itself would come too late.</para>
/// </remarks>
internal static class DirectorySql
{
    /// <summary>The id is free when its holder has not renewed for half of its own lease, which may differ from the caller's, $3, or is a
    /// life that the same directory object, $4, has registered: an earlier one, or that of a call whose answer was lost.</summary>
    public const string Register =
        """
        with holder as (select *, lease_until - (lease_until - renewed_at) / 2 as free_at from pc_node where node_id = $1),
             free as (select 1 where not exists (select from holder where free_at > clock_timestamp() and registrant is distinct from $4)),
             lost as (insert into pc_lost (node_id, incarnation, retry_at, keeps_members)
                      select node_id, incarnation, greatest(lease_until, clock_timestamp()), lease_until > clock_timestamp()
                      from holder, free),
             mine as (insert into pc_node (node_id, incarnation, endpoint, renewed_at, lease_until, held_since, registrant, version)
                      select $1, nextval('pc_incarnation'), $2, clock_timestamp(), clock_timestamp() + $3, clock_timestamp(), $4, $5
                      from free
                      on conflict (node_id) do update set incarnation = excluded.incarnation, endpoint = excluded.endpoint,
                          renewed_at = excluded.renewed_at, lease_until = excluded.lease_until, held_since = excluded.held_since,
                          draining = false, registrant = excluded.registrant, version = excluded.version
                      returning incarnation)
        select (select incarnation from mine), h.incarnation, h.endpoint, h.draining, h.version, h.free_at - clock_timestamp()
        from (select 1) one left join holder h on true
        """;

    /// <summary>A renewal that comes later than half a lease after the one before it begins a new time of holding the lease.</summary>
    public const string Renew =
        """
        update pc_node set renewed_at = clock_timestamp(), lease_until = clock_timestamp() + $3,
            held_since = case when lease_until < clock_timestamp() + $3 / 2 then clock_timestamp()
                              else least(held_since, clock_timestamp()) end
        where node_id = $1 and incarnation = $2
        """;

    public const string Drain = "update pc_node set draining = true where node_id = $1 and incarnation = $2";

    public const string Unregister =
        """
        with gone as (delete from pc_node where node_id = $1 and incarnation = $2 returning node_id, incarnation)
        insert into pc_lost (node_id, incarnation, retry_at) select node_id, incarnation, clock_timestamp() from gone
        """;

    public const string Nodes =
        "select node_id, incarnation, endpoint, draining, version from pc_node where lease_until > clock_timestamp() order by node_id";

    public const string Lives =
        "select node_id, incarnation from pc_node union all select node_id, incarnation from pc_lost order by 2";

    public const string Join =
        Me + """
        , former as (select from pc_member m join pc_life n using (node_id, incarnation) where m.room_id = $3 and m.user_id = $4),
          done as (insert into pc_member (room_id, user_id, node_id, incarnation, session_id, name)
                   select $3, $4, $1, $2, $5, $6 from me
                   where exists (select from former)
                      or (select count(distinct m.user_id) from pc_member m join pc_life n using (node_id, incarnation)
                          where m.room_id = $3) < $7
                   on conflict (room_id, user_id, incarnation, session_id) do update set name = excluded.name
                   returning 1)
        select exists (select from me), exists (select from done)
        """;

    public const string Leave =
        Me + """
        , done as (delete from pc_member where room_id = $3 and user_id = $4 and node_id = $1 and incarnation = $2 and session_id = $5
                   and exists (select from me))
        select exists (select from me)
        """;

    public const string Members =
        """
        select m.user_id, m.session_id, m.name, m.node_id, m.incarnation
        from pc_member m join pc_life n using (node_id, incarnation) where m.room_id = $1 order by m.user_id
        """;

    public const string Rooms =
        """
        select m.room_id, count(distinct m.user_id)::int from pc_member m join pc_life n using (node_id, incarnation)
        where m.room_id > $1 group by m.room_id order by m.room_id limit $2
        """;

    public const string Bind =
        Me + """
        insert into pc_session (user_id, node_id, incarnation, session_id) select $3, $1, $2, $4 from me
        on conflict (user_id, incarnation, session_id) do nothing returning 1
        """;

    /// <summary>Behind <see cref="Bind"/>, because a statement does not see what another part of it has written.</summary>
    public const string Bound =
        Me + """
        , known as (select s.* from pc_session s join pc_node n using (node_id, incarnation) where s.user_id = $3)
        select exists (select from me), k.node_id, k.incarnation, k.session_id from (select 1) one left join known k on true
        order by k.number
        """;

    public const string Unbind =
        Me + """
        , done as (delete from pc_session where user_id = $3 and node_id = $1 and incarnation = $2 and session_id = $4
                   and exists (select from me))
        select exists (select from me)
        """;

    public const string Sessions =
        """
        select s.node_id, s.incarnation, s.session_id from pc_session s join pc_node n using (node_id, incarnation)
        where s.user_id = $1 order by s.number
        """;

    public const string AcquireRoom =
        Me + """
        , done as (insert into pc_room_owner as r (room_id, node_id, incarnation)
                   select $3, $1, $2 from me
                   on conflict (room_id) do update set node_id = excluded.node_id, incarnation = excluded.incarnation, orphan_until = null
                       where r.orphan_until <= clock_timestamp()
                          or r.orphan_until is not null and ($4 or not exists (select from pc_node where node_id <> $1))
                   returning 1)
        select exists (select from me), exists (select from done), r.node_id, r.incarnation
        from (select 1) one left join pc_room_owner r on r.room_id = $3 and r.orphan_until is null
        """;

    public const string EndRoom =
        Me + """
        , done as (delete from pc_room_owner where room_id = $3 and node_id = $1 and incarnation = $2 and orphan_until is null
                   and exists (select from me) returning 1)
        select exists (select from me), exists (select from done)
        """;

    public const string OrphanRoom =
        Me + """
        , done as (update pc_room_owner set orphan_until = clock_timestamp() + $4
                   where room_id = $3 and node_id = $1 and incarnation = $2 and orphan_until is null
                   and exists (select from me) returning 1)
        select exists (select from me), exists (select from done)
        """;

    public const string IsSweepDue =
        Me + "," + Sweeper + """
        select exists (select from me),
               exists (select from pc_node n, sweeper s where n.lease_until <= s.at)
               or exists (select from pc_lost where retry_at <= clock_timestamp())
               or exists (select from pc_room_owner where orphan_until <= clock_timestamp() or orphan_until > clock_timestamp() + $4)
               or exists (select from pc_node where greatest(renewed_at, held_since) > clock_timestamp())
               or exists (select from pc_lost where retry_at > clock_timestamp() + $3)
        """;

    /// <summary>
    /// Notices that the clock has gone back: a node has renewed its lease in the future. Its lease begins anew then. Nothing waits longer
    /// than a lease, $1, or an orphaned room, $2. Returns how many seconds ahead of the clock the latest renewal was, if one was.
    /// </summary>
    public const string HealClock =
        """
        with now as materialized (select clock_timestamp() as at),
             ahead as materialized (select extract(epoch from max(n.renewed_at) - max(now.at))::float8 as seconds
                                    from pc_node n, now where n.renewed_at > now.at),
             nodes as (update pc_node n
                       set lease_until = case when n.renewed_at > now.at then now.at + least(n.lease_until - n.renewed_at, $1)
                                              else n.lease_until end,
                           renewed_at = least(n.renewed_at, now.at), held_since = least(n.held_since, now.at)
                       from now where greatest(n.renewed_at, n.held_since) > now.at),
             lost as (update pc_lost l set retry_at = now.at + $1 from now where l.retry_at > now.at + $1),
             orphans as (update pc_room_owner r set orphan_until = now.at + $2 from now where r.orphan_until > now.at + $2)
        select seconds from ahead where seconds is not null
        """;

    /// <summary>Forgets the rooms that waited for a node with their state, which are like rooms that never had an owner now.</summary>
    public const string ForgetOrphans =
        """
        delete from pc_room_owner where room_id in
            (select room_id from pc_room_owner where orphan_until <= clock_timestamp() for update skip locked)
        """;

    /// <summary>Locks the expired nodes that no write holds. Materialized, so that a node with a valid lease is never locked.</summary>
    public const string LockExpired =
        $"""
        with {Sweeper},
             expired as materialized (select n.node_id from pc_node n, sweeper s where n.lease_until <= s.at)
        select node_id from expired where pg_try_advisory_xact_lock({PostgresLocks.Node}, node_id)
        """;

    /// <summary>Looks at both leases again: the database may have stood still since <see cref="LockExpired"/>.</summary>
    public const string Lose =
        $"""
        with {Sweeper},
             gone as (delete from pc_node n using sweeper s where n.node_id = any ($4) and n.lease_until <= s.at
                      returning n.node_id, n.incarnation)
        insert into pc_lost (node_id, incarnation, retry_at) select node_id, incarnation, clock_timestamp() from gone
        """;

    /// <summary>Only for a node, $2 and $3, whose own lease is valid.</summary>
    public const string TakeLost =
        """
        with due as (select incarnation from pc_lost
                     where retry_at <= clock_timestamp()
                       and exists (select from pc_node where node_id = $2 and incarnation = $3 and lease_until > clock_timestamp())
                     order by incarnation for update skip locked)
        update pc_lost l set retry_at = clock_timestamp() + $1, keeps_members = false from due where l.incarnation = due.incarnation
        returning l.node_id, l.incarnation
        """;

    public const string LostMembers =
        """
        select m.user_id, m.session_id, m.name, m.node_id, m.incarnation, m.room_id
        from pc_member m where m.incarnation = any ($1) order by m.room_id, m.user_id
        """;

    public const string Confirm =
        Me + """
        , lost as (delete from pc_lost where node_id = $3 and incarnation = $4 and exists (select from me) returning incarnation),
          members as (delete from pc_member m using lost where m.incarnation = lost.incarnation),
          sessions as (delete from pc_session s using lost where s.incarnation = lost.incarnation),
          rooms as (update pc_room_owner r set orphan_until = clock_timestamp() + $5 from lost
                    where r.incarnation = lost.incarnation and r.orphan_until is null)
        select exists (select from me)
        """;

    private const string Me =
        "with me as (select 1 from pc_node where node_id = $1 and incarnation = $2)\n";

    /// <summary>
    /// The node that sweeps, if it may: it has renewed its lease, whose duration is $3, for one lease without a break. So the database was
    /// there for every other node to renew. The time is taken once, before the leases are read: however long the database stands still
    /// in between, the nodes whose leases end meanwhile are not expired.
    /// </summary>
    private const string Sweeper =
        """
        now as materialized (select clock_timestamp() as at),
        sweeper as materialized (select now.at from now, pc_node
                                 where node_id = $1 and incarnation = $2
                                   and held_since <= now.at - $3 and lease_until >= now.at + $3 / 2)

        """;
}
