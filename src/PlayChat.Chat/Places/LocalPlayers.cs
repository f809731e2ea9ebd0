namespace PlayChat.Chat.Places;

/// <summary>The players of a server that is alone. Thread-safe.</summary>
internal sealed class LocalPlayers(PlayChatServer server) : IPlayers
{
    /// <inheritdoc/>
    public bool AreElsewhere => false;

    /// <inheritdoc/>
    public Task<int> TellAsync(long roomId, string message, CancellationToken cancellationToken) =>
        Task.FromResult(OperatorNotices.Tell(server.Sessions, roomId, message));

    /// <inheritdoc/>
    public Task<bool> HasMembersElsewhereAsync(long roomId, CancellationToken cancellationToken) => Task.FromResult(false);

    /// <inheritdoc/>
    public Task<int?> TellElsewhereAsync(long userId, string message, CancellationToken cancellationToken) => Task.FromResult<int?>(null);

    /// <inheritdoc/>
    public Task<int?> CloseElsewhereAsync(long userId, string message, CancellationToken cancellationToken) => Task.FromResult<int?>(null);

    /// <inheritdoc/>
    public ValueTask<bool> SayAsync(long userId, SDirectChatNtf message, CancellationToken cancellationToken)
    {
        bool isGiven = false;
        foreach (Session device in server.Sessions.FindAllOfUser(userId))
        {
            isGiven |= DirectChat.Give(device, message);
        }

        return ValueTask.FromResult(isGiven);
    }
}
