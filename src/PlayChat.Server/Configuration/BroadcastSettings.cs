namespace PlayChat.Server.Configuration;

/// <summary>Section <c>Broadcast</c>.</summary>
internal sealed class BroadcastSettings
{
    public int Rooms { get; set; }
}
