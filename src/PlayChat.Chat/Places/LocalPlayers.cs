using PlayChat.Core.Connections;

namespace PlayChat.Chat.Places;

/// <summary>The players of a server that is alone. Thread-safe.</summary>
internal sealed class LocalPlayers(PlayChatServer server) : IPlayers
{
    public bool AreElsewhere => false;

    public Task<int> TellAsync(long roomId, string message, CancellationToken cancellationToken) =>
        Task.FromResult(OperatorNotices.Tell(server.Sessions, roomId, message));

    public Task<bool> HasMembersElsewhereAsync(long roomId, CancellationToken cancellationToken) => Task.FromResult(false);

    public Task<IReadOnlyList<int>> TellElsewhereAsync(long userId, string message, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<int>>([]);

    public Task<IReadOnlyList<int>> CloseElsewhereAsync(
        long userId, long loginTokenId, string message, CancellationToken cancellationToken) => Task.FromResult<IReadOnlyList<int>>([]);

    public ValueTask<bool> SayAsync(long userId, SDirectChatNtf message, CancellationToken cancellationToken) =>
        ValueTask.FromResult(DirectChat.Give(server.Sessions.FindAllOfUser(userId), message));

    public ValueTask TellSentAsync(Session device, SDirectSentNtf message, CancellationToken cancellationToken)
    {
        server.Sessions.Tell(device.User!.Id, ChatPackets.SDirectSentNtf, message, except: device, Delivery.DropIfBehind);
        return default;
    }
}
