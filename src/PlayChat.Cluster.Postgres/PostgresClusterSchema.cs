namespace PlayChat.Cluster.Postgres;

/// <summary>Creates the tables and migrates older ones. Of programs that start at once, one does the work, and the others wait.</summary>
internal static class PostgresClusterSchema
{
    // Step n brings the tables from version n to n + 1. Released steps never change; add new ones at the end.
    private static readonly string[] s_migrations =
    [
        """
        create sequence pc_incarnation;
        create table pc_node (
            node_id int primary key,
            incarnation bigint not null,
            endpoint text not null,
            lease_until timestamptz not null,
            draining boolean not null default false);
        create table pc_lost (
            incarnation bigint primary key,
            node_id int not null,
            retry_at timestamptz not null);
        create table pc_member (
            room_id bigint,
            user_id bigint,
            node_id int not null,
            incarnation bigint not null,
            session_id bigint not null,
            name text not null,
            primary key (room_id, user_id));
        create index pc_member_incarnation on pc_member (incarnation);
        create table pc_session (
            user_id bigint primary key,
            node_id int not null,
            incarnation bigint not null,
            session_id bigint not null,
            former_node_id int,
            former_incarnation bigint,
            former_session_id bigint);
        create index pc_session_incarnation on pc_session (incarnation);
        create table pc_shard (
            id int primary key,
            epoch bigint not null,
            seq bigint not null default 0);
        create table pc_log (
            shard int,
            seq bigint,
            origin int not null,
            incarnation bigint not null,
            batch bigint not null,
            stored_at timestamptz not null default clock_timestamp(),
            body bytea not null,
            primary key (shard, seq));
        create unique index pc_log_batch on pc_log (origin, incarnation, shard, batch) where batch > 0;
        create index pc_log_stored_at on pc_log using brin (stored_at);
        """,
        """
        create table pc_room_owner (
            room_id bigint primary key,
            node_id int not null,
            incarnation bigint not null);
        create index pc_room_owner_incarnation on pc_room_owner (incarnation);
        """,
        "alter table pc_node add column held_since timestamptz not null default clock_timestamp()",
        """
        alter table pc_room_owner add column orphan_until timestamptz;
        create index pc_room_owner_orphan_until on pc_room_owner (orphan_until) where orphan_until is not null;
        """,
        // A row that fits into a page stays there uncompressed: compressing the batches took the database a tenth of its time under load.
        "alter table pc_log set (toast_tuple_target = 8160)",
        """
        alter table pc_lost add column keeps_members boolean not null default false;
        create view pc_life as
            select node_id, incarnation from pc_node
            union all select node_id, incarnation from pc_lost where keeps_members;
        """,
        "alter table pc_node add column renewed_at timestamptz not null default clock_timestamp()",
        "alter table pc_node add column registrant uuid",
        """
        alter table pc_member drop constraint pc_member_pkey, add primary key (room_id, user_id, incarnation, session_id);
        alter table pc_session drop constraint pc_session_pkey,
            drop column former_node_id, drop column former_incarnation, drop column former_session_id,
            add column number bigint generated always as identity,
            add primary key (user_id, incarnation, session_id);
        """,
        "alter table pc_node add column version text not null default ''",
    ];

    /// <exception cref="NpgsqlException">The database is unreachable or refuses the work.</exception>
    /// <exception cref="InvalidOperationException">
    /// A newer version of the program made the tables, or the encoding of the database does not have every character.
    /// </exception>
    public static async Task EnsureAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            object? encoding = await ExecuteAsync(connection, "show server_encoding", cancellationToken).ConfigureAwait(false);
            if (encoding is not ("UTF8" or "SQL_ASCII")) // SQL_ASCII stores every byte as it comes
            {
                throw new InvalidOperationException(
                    $"The cluster's database has the encoding {encoding}, which does not have every character of a name. "
                        + "Create it with ENCODING 'UTF8' TEMPLATE template0.");
            }

            await ExecuteAsync(connection, $"select pg_advisory_xact_lock({PostgresLocks.Schema}, 0)", cancellationToken)
                .ConfigureAwait(false);
            await ExecuteAsync(connection, "create table if not exists pc_cluster_version (version int not null)", cancellationToken)
                .ConfigureAwait(false);
            object? version = await ExecuteAsync(connection, "select max(version) from pc_cluster_version", cancellationToken)
                .ConfigureAwait(false);
            int found = version as int? ?? 0;
            if (found > s_migrations.Length)
            {
                throw new InvalidOperationException(
                    $"The cluster's tables have version {found}, and this program knows version {s_migrations.Length}. "
                        + "Use the newer program.");
            }

            if (found == s_migrations.Length)
            {
                return;
            }

            foreach (string step in s_migrations.AsSpan(found).ToArray())
            {
                await ExecuteAsync(connection, step, cancellationToken).ConfigureAwait(false);
            }

            await ExecuteAsync(
                connection,
                $"delete from pc_cluster_version; insert into pc_cluster_version values ({s_migrations.Length})",
                cancellationToken).ConfigureAwait(false);
            await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private static async Task<object?> ExecuteAsync(NpgsqlConnection connection, string sql, CancellationToken cancellationToken)
    {
        var command = new NpgsqlCommand(sql, connection);
        await using (command.ConfigureAwait(false))
        {
            return await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
