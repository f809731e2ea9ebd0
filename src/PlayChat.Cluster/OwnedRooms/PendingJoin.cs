namespace PlayChat.Cluster.OwnedRooms;

/// <summary>A join to a room of a cluster that waits for the owner's answer.</summary>
/// <param name="number">Tells it from the other joins of the node.</param>
/// <param name="session">The session that wants to join.</param>
/// <param name="argument">The argument of the join, encoded.</param>
/// <param name="password">The password, if there is one.</param>
internal sealed class PendingJoin(long number, Session session, byte[] argument, string? password)
{
    internal long Number => number;

    internal Session Session => session;

    internal byte[] Argument => argument;

    internal string? Password => password;

    internal TaskCompletionSource<(JoinStatus Status, string? Reason)> Answer { get; } =
        new(TaskCreationOptions.RunContinuationsAsynchronously);
}
