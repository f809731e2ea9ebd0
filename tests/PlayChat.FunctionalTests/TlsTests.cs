using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Core.Transport;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>TLS from the client's first byte to the server's last, with certificates as people have them.</summary>
public sealed class TlsTests
{
    private const string Endpoint = "--PlayChat:Endpoints:0:Tls:";

    [Theory]
    [InlineData("pem")]
    [InlineData("pfx")]
    public async Task Two_clients_chat_over_TLS(string form)
    {
        using var folder = new TemporaryDirectory();
        using X509Certificate2 certificate = CreateCertificate();
        await using ServerProcess server =
            await ServerProcess.StartAsync(form == "pem" ? WritePem(folder, certificate) : WritePfx(folder, certificate));
        ChatClientOptions trusting = Options(certificate.Thumbprint);
        await using ChatClient first = await ChatClient.ConnectAsync("localhost", server.Port, trusting);
        await using ChatClient second = await ChatClient.ConnectAsync("localhost", server.Port, trusting);
        await first.LoginAsync("하나");
        await second.LoginAsync("둘");
        var inbox = new Inbox(second);
        SCreateRoomRes room = await first.CreateRoomAsync("비밀 🔒");
        await second.JoinRoomAsync(room.RoomId);

        string text = string.Concat(Enumerable.Repeat("가나다", 400)); // 3,600 bytes
        await first.ChatAsync(room.RoomId, text);

        Assert.Equal(text, (await inbox.NextChatAsync()).Text);

        // Whoever knows the server's certificate as another one does not talk to it, nor does who speaks no TLS; the server goes on.
        await Assert.ThrowsAsync<ConnectFailedException>(() => ChatClient.ConnectAsync("localhost", server.Port, Options("another")));
        await using (ChatClient plain = await Players.ConnectAsync(server))
        {
            await Assert.ThrowsAsync<ChatConnectionClosedException>(() => plain.LoginAsync("no TLS"));
        }

        await second.ChatAsync(room.RoomId, "still here");
        Assert.Equal("still here", (await inbox.NextChatAsync()).Text);
    }

    private static ChatClientOptions Options(string thumbprint) => new()
    {
        UseTls = true,
        ConnectTimeout = TestTimeouts.Hang,
        RequestTimeout = TestTimeouts.Hang,
        TlsCertificateValidation = (_, certificate, _, _) => certificate is X509Certificate2 shown && shown.Thumbprint == thumbprint,
    };

    private static string[] WritePem(TemporaryDirectory folder, X509Certificate2 certificate)
    {
        using RSA key = certificate.GetRSAPrivateKey()!;
        File.WriteAllText(folder.Combine("server.pem"), certificate.ExportCertificatePem());
        File.WriteAllText(folder.Combine("server.key"), key.ExportPkcs8PrivateKeyPem());
        return [$"{Endpoint}CertificatePath={folder.Combine("server.pem")}", $"{Endpoint}KeyPath={folder.Combine("server.key")}"];
    }

    private static string[] WritePfx(TemporaryDirectory folder, X509Certificate2 certificate)
    {
        File.WriteAllBytes(folder.Combine("server.pfx"), certificate.Export(X509ContentType.Pfx, "비밀번호"));
        return [$"{Endpoint}CertificatePath={folder.Combine("server.pfx")}", $"{Endpoint}Password=비밀번호"];
    }

    private static X509Certificate2 CreateCertificate()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
