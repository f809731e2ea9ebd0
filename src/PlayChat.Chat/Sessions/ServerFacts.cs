namespace PlayChat.Chat.Sessions;

/// <summary>What a client is told of the server when it has logged in or resumed.</summary>
internal sealed class ServerFacts(PlayChatServer server, ServerSettings settings, TimeProvider time)
{
    public ServerInfo Tell()
    {
        TimeSpan idle = server.Options.Sessions.IdleTimeout;
        return new ServerInfo
        {
            Version = ServerVersion.Text,
            MaxFrameBytes = (uint)settings.MaxFrameBytes,
            MaxRoomMembers = (uint)server.Options.Rooms.MaxMembers,
            IdleTimeoutMs = idle == Timeout.InfiniteTimeSpan ? 0 : (uint)idle.TotalMilliseconds,
            UnixMs = time.GetUtcNow().ToUnixTimeMilliseconds(),
            ResumeWindowMs = (uint)server.Options.Sessions.ResumeWindow.TotalMilliseconds,
            RoomsLast = settings.RoomsLast,
            DirectStored = settings.Direct.Stored,
        };
    }
}
