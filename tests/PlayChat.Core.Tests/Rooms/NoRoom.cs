using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>Stands for the room in tests of its parts: sessions attach to it, and their ends are noted.</summary>
internal sealed class NoRoom : ISessionAttachment
{
    internal List<Session> Ended { get; } = [];

    public void OnSessionEnded(Session session) => Ended.Add(session);
}
