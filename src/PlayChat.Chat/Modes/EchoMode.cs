using PlayChat.Core.Framing;

namespace PlayChat.Chat.Modes;

/// <summary>A 4-byte big-endian length and a body, sent back as they came.</summary>
internal static class EchoMode
{
    public static void Configure(PlayChatServer server, ServerSettings settings)
    {
        LoadLimits.Lift(server.Options);
        server.UseFraming(FrameFormat.LengthPrefixed(settings.MaxFrameBytes))
            .OnFrame(static (connection, frame) => connection.Send(frame));
    }
}
