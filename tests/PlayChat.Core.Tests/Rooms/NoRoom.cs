using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>Stands for the room in tests of its parts: sessions attach to it, and their changes are noted.</summary>
internal sealed class NoRoom : ISessionAttachment
{
    internal List<Session> Changed { get; } = [];

    public void OnSessionChanged(Session session) => Changed.Add(session);
}
