using PlayChat.TestUtilities.Architecture;

namespace PlayChat.Transport.Linux.Tests.Architecture;

public sealed class PublicApiTests
{
    [Fact]
    public void The_public_surface_is_the_one_that_is_listed() =>
        PublicApiList.Verify(typeof(LinuxTransport).Assembly);

    [Fact]
    public void The_public_surface_is_the_transport_and_its_options() =>
        Assert.Equal([typeof(LinuxTransport), typeof(LinuxTransportOptions)], typeof(LinuxTransport).Assembly.GetExportedTypes());
}
