using PlayChat.Transport.Linux;
using Xunit;

namespace PlayChat.TestUtilities.Transport;

/// <summary>Makes a Linux transport for a test, or skips the test on another system.</summary>
public static class NativeTransport
{
    public static LinuxTransport Create(int loops = 2)
    {
        Assert.SkipUnless(LinuxTransport.IsSupported, "The native transport needs Linux.");
        return new LinuxTransport(new LinuxTransportOptions { Loops = loops });
    }
}
