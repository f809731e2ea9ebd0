namespace PlayChat.Core.Transport.Linux;

/// <summary>Settings of a <see cref="LinuxTransport"/>. Set before it is made.</summary>
public sealed class LinuxTransportOptions
{
    /// <summary>Event loops, each a thread, 0–1,024. Default 0: one for each processor that the process may use.</summary>
    public int Loops { get; set; }
}
