namespace PlayChat.Matchmaking;

/// <summary>A match as the log of a cluster carries it from the owner of the queue to the nodes of its players.</summary>
internal static class SharedMatch<TTicket>
{
    private static readonly Guid s_process = Guid.NewGuid();
    private static long s_matches;

    /// <summary>Writes a match, with a name that no other one has.</summary>
    internal static byte[] Write(string node, IReadOnlyList<MatchSeat<TTicket>> seats, Func<TTicket, byte[]> encode)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write($"match-{s_process:N}-{Interlocked.Increment(ref s_matches)}");
        writer.Write(node);
        writer.Write7BitEncodedInt(seats.Count);
        foreach (MatchSeat<TTicket> seat in seats)
        {
            writer.Write7BitEncodedInt(seat.Team);
            writer.Write(seat.Token.Span);
            writer.Write(seat.IsVacant);
            if (!seat.IsVacant)
            {
                byte[] ticket = encode(seat.Ticket!);
                writer.Write(seat.Session!.Id);
                writer.Write7BitEncodedInt(ticket.Length);
                writer.Write(ticket);
            }
        }

        return stream.ToArray();
    }

    /// <param name="match">What <see cref="Write"/> has written.</param>
    /// <param name="sessions">The players of this node; their seats get them.</param>
    /// <param name="decode">Reads a ticket.</param>
    internal static MatchSeat<TTicket>[] Read(ReadOnlySpan<byte> match, IReadOnlyList<Session> sessions, Func<byte[], TTicket> decode)
    {
        using var reader = new BinaryReader(new MemoryStream(match.ToArray()));
        string name = reader.ReadString();
        string node = reader.ReadString();
        var seats = new MatchSeat<TTicket>[reader.Read7BitEncodedInt()];
        for (int i = 0; i < seats.Length; i++)
        {
            int team = reader.Read7BitEncodedInt();
            byte[] token = reader.ReadBytes(MatchSeat<TTicket>.TokenBytes);
            if (reader.ReadBoolean())
            {
                seats[i] = new MatchSeat<TTicket>(name, node, team, default, null, isVacant: true, token);
                continue;
            }

            long id = reader.ReadInt64();
            TTicket ticket = decode(reader.ReadBytes(reader.Read7BitEncodedInt()));
            Session? session = sessions.FirstOrDefault(session => session.Id == id);
            seats[i] = new MatchSeat<TTicket>(name, node, team, ticket, session, isVacant: false, token);
        }

        return seats;
    }
}
