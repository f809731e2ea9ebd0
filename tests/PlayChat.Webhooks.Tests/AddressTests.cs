using System.Net;
using PlayChat.Storage;

namespace PlayChat.Webhooks.Tests;

/// <summary>Which receivers are allowed.</summary>
public sealed class AddressTests
{
    [Theory]
    [InlineData("8.8.8.8", true)]
    [InlineData("172.32.0.1", true)]
    [InlineData("2606:4700::1111", true)]
    [InlineData("::ffff:8.8.8.8", true)]
    [InlineData("127.0.0.1", false)]
    [InlineData("127.9.9.9", false)]
    [InlineData("0.0.0.0", false)]
    [InlineData("10.0.0.1", false)]
    [InlineData("100.64.0.1", false)]
    [InlineData("169.254.169.254", false)]
    [InlineData("172.16.0.1", false)]
    [InlineData("172.31.255.255", false)]
    [InlineData("192.168.1.1", false)]
    [InlineData("224.0.0.1", false)]
    [InlineData("255.255.255.255", false)]
    [InlineData("::", false)]
    [InlineData("::1", false)]
    [InlineData("::ffff:10.0.0.1", false)]
    [InlineData("::127.0.0.1", false)]
    [InlineData("fe80::1", false)]
    [InlineData("fd00::1", false)]
    [InlineData("ff02::1", false)]
    [InlineData("64:ff9b::7f00:1", false)]
    [InlineData("2002:7f00:1::", false)]
    [InlineData("2001:0:1::", false)]
    public void Only_addresses_of_the_public_Internet_are_public(string address, bool expected) =>
        Assert.Equal(expected, PublicAddress.Is(IPAddress.Parse(address)));

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("[::ffff:127.0.0.1]")]
    [InlineData("localhost")] // found by its name, so the check is of what the name leads to
    public async Task A_private_address_is_refused_when_it_is_connected_to(string host)
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        WebhookTarget target = WebhookServer.Target(new Uri($"http://{host}:{receiver.Port}/hook"));
        target.AllowPrivateAddresses = false;
        await using WebhookServer server = await WebhookServer.StartAsync(folder, target);

        await server.SayAsync(room: 3, 1, "one");

        await Eventually.TrueAsync(() => server.Status.LastError is not null);
        Assert.Contains("has no public address", server.Status.LastError, StringComparison.Ordinal);
        Assert.Contains("AllowPrivateAddresses", server.Status.LastError, StringComparison.Ordinal);
        Assert.Empty(receiver.Requests);
        Assert.Equal(1, server.Status.Waiting);
    }

    [Theory]
    [InlineData("http://shop.example/hook", "Targets:0:Url is an http address; use https, or set Targets:0:AllowHttp=true.")]
    [InlineData("ftp://shop.example/hook", "Targets:0:Url is no usable address; allowed is an https address without user and password.")]
    [InlineData("shop.example", "Targets:0:Url is no usable address; allowed is an https address without user and password.")]
    [InlineData(
        "https://ann:secret@shop.example", "Targets:0:Url is no usable address; allowed is an https address without user and password.")]
    public void An_address_that_is_not_allowed_is_named(string url, string expected) =>
        Assert.Equal(
            expected,
            Assert.Throws<StorageException>(() => Validate(new WebhookTarget { Url = url, Secret = WebhookServer.Secret })).Message);

    [Theory]
    [InlineData("")]
    [InlineData("hush, this is very secret")]
    [InlineData("whsec_aHVzaA==")] // too short
    [InlineData("whsec_not base64 at all, but long enough to be hush")]
    public void A_secret_that_is_not_usable_is_refused_and_not_told(string secret)
    {
        string url = "https://shop.example";

        string now = Assert.Throws<StorageException>(() => Validate(new WebhookTarget { Url = url, Secret = secret })).Message;

        Assert.StartsWith("Targets:0:Secret is not usable;", now, StringComparison.Ordinal);
        Assert.DoesNotContain("hush", now, StringComparison.Ordinal);
        if (secret.Length > 0)
        {
            string old = Assert.Throws<StorageException>(
                () => Validate(new WebhookTarget { Url = url, Secret = WebhookServer.Secret, OldSecret = secret })).Message;
            Assert.StartsWith("Targets:0:OldSecret is not usable;", old, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Two_targets_of_one_name_are_refused_and_one_without_an_address_is_left_out()
    {
        WebhookTarget target = new() { Url = "https://shop.example/a", Secret = WebhookServer.Secret };
        WebhookTarget other = new() { Url = "https://SHOP.example/b", Secret = WebhookServer.Secret };

        Validate(new WebhookTarget(), target);
        string problem = Assert.Throws<StorageException>(() => Validate(target, other)).Message;

        Assert.Equal("Targets:1:Name must be set: another target is 'shop.example' already.", problem);
    }

    private static void Validate(params WebhookTarget[] targets)
    {
        var options = new WebhookOptions();
        Array.ForEach(targets, options.Targets.Add);
        options.Validate();
    }
}
