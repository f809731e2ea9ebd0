using System.Net;
using PlayChat.Addresses;

namespace PlayChat.Server.Tests.Configuration;

public sealed class ListenAddressTests
{
    [Theory]
    [InlineData("127.0.0.1:7781", "127.0.0.1:7781")]
    [InlineData("[::1]:7781", "[::1]:7781")]
    [InlineData("localhost:7781", "127.0.0.1:7781")]
    [InlineData("*:7781", "[::]:7781")]
    [InlineData("0.0.0.0:0", "0.0.0.0:0")]
    public void An_address_with_a_port_is_read(string address, string expected)
    {
        Assert.True(ListenAddress.TryParse(address, out IPEndPoint? endPoint));
        Assert.Equal(expected, endPoint.ToString());
    }

    [Theory]
    [InlineData("127.0.0.1:7781", "localhost:7781", true)]
    [InlineData("0.0.0.0:7781", "127.0.0.1:7781", true)]
    [InlineData("[::1]:7781", "*:7781", true)]
    [InlineData("*:7781", "0.0.0.0:7781", true)]
    [InlineData("0.0.0.0:7781", "[::1]:7781", false)]
    [InlineData("127.0.0.1:7781", "127.0.0.2:7781", false)]
    [InlineData("127.0.0.1:7781", "127.0.0.1:7782", false)]
    [InlineData("*:0", "*:0", false)]
    [InlineData("nonsense", "*:7781", false)]
    public void Addresses_of_one_port_overlap_where_one_covers_the_other(string first, string second, bool expected)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows lets a listener on one address and one on every address share a port.");

        Assert.Equal(expected, ListenAddress.Overlap(first, second));
    }

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("127.1:7781")]
    [InlineData("127.0.0.010:7781")]
    [InlineData("0x7f.0.0.1:7781")]
    [InlineData("::1:7781")]
    [InlineData("[127.0.0.1]:7781")]
    [InlineData("127.0.0.1:+7781")]
    [InlineData("127.0.0.1:65536")]
    [InlineData("127.0.0.1:")]
    public void Another_form_is_refused(string address) => Assert.False(ListenAddress.TryParse(address, out _));
}
