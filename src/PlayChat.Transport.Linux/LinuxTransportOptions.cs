namespace PlayChat.Transport.Linux;

/// <summary>Settings of a <see cref="LinuxTransport"/>. Set them before you make the transport.</summary>
public sealed class LinuxTransportOptions
{
    /// <summary>The number of event loops, each with a thread, 0–1,024. Default 0: one per processor that the process may use.</summary>
    public int Loops { get; set; }
}
