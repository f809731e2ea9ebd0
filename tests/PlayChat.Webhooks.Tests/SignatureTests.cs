using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace PlayChat.Webhooks.Tests;

public sealed class SignatureTests
{
    [Fact]
    public void The_signature_is_that_of_the_libraries_of_Standard_Webhooks()
    {
        var target = new WebhookTarget { Secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" };
        byte[] body = Encoding.UTF8.GetBytes("""{"test": 2432232314}""");

        string signature = target.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body);

        Assert.Equal("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", signature);
    }

    [Fact]
    public async Task A_receiver_verifies_a_request_from_its_headers_and_its_body()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);

        await server.SayAsync(room: 3, 1, "Grüße 👋");
        await Eventually.TrueAsync(() => receiver.Accepted.Count == 1);

        Receiver.Request request = receiver.Accepted.Single();
        Assert.Equal("v1," + Sign(WebhookServer.Secret, request), request.Signature);
        Assert.Equal(server.Time.GetUtcNow().ToUnixTimeSeconds().ToString(CultureInfo.InvariantCulture), request.Timestamp);
        Assert.Equal("/hook?from=chat", request.Path);
        Assert.Equal("application/json", request.ContentType);
    }

    [Fact]
    public async Task While_a_secret_is_replaced_a_request_is_signed_with_both()
    {
        string newSecret = "whsec_" + Convert.ToBase64String(RandomNumberGenerator.GetBytes(24));
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        WebhookTarget target = WebhookServer.Target(receiver.Address);
        (target.Secret, target.OldSecret) = (newSecret, WebhookServer.Secret);
        await using WebhookServer server = await WebhookServer.StartAsync(folder, target);

        await server.SayAsync(room: 3, 1, "hello");
        await Eventually.TrueAsync(() => receiver.Accepted.Count == 1);

        Receiver.Request request = receiver.Accepted.Single();
        Assert.Equal($"v1,{Sign(newSecret, request)} v1,{Sign(WebhookServer.Secret, request)}", request.Signature);
    }

    // As docs/how-to/webhooks.md tells receivers, and not with the code of the package.
    private static string Sign(string secret, Receiver.Request request)
    {
        using var hash = new HMACSHA256(Convert.FromBase64String(secret["whsec_".Length..]));
        return Convert.ToBase64String(hash.ComputeHash(Encoding.UTF8.GetBytes($"{request.Id}.{request.Timestamp}.{request.Body}")));
    }
}
