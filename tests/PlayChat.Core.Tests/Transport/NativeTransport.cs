using PlayChat.Core.Transport.Linux;

namespace PlayChat.Core.Tests.Transport;

/// <summary>The native transport for a test, which is skipped where there is none.</summary>
internal static class NativeTransport
{
    internal static LinuxTransport Create(int loops = 2)
    {
        Assert.SkipUnless(LinuxTransport.IsSupported, "The native transport needs Linux.");
        return new LinuxTransport(new LinuxTransportOptions { Loops = loops });
    }
}
