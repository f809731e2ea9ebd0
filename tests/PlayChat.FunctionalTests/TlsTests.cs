using System.Net.Security;
using PlayChat.Core.Transport;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>TLS from the client's first byte to the server's last, with certificates as people have them.</summary>
public sealed class TlsTests
{
    [Theory]
    [InlineData("pem")]
    [InlineData("pfx", Traits = ["Tier", "Full"])]
    public async Task Two_clients_chat_over_TLS(string form)
    {
        using var certificate = new TestCertificate();
        await using ServerProcess server =
            await ServerProcess.StartAsync(form == "pem" ? certificate.WritePem() : certificate.WritePfx());
        ChatClientOptions trusting = Options(certificate.IsMine);
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
        await Assert.ThrowsAsync<ConnectFailedException>(
            () => ChatClient.ConnectAsync("localhost", server.Port, Options(static (_, _, _, _) => false)));
        await using (ChatClient plain = await Players.ConnectAsync(server))
        {
            await Assert.ThrowsAsync<ChatConnectionClosedException>(() => plain.LoginAsync("no TLS"));
        }

        await second.ChatAsync(room.RoomId, "still here");
        Assert.Equal("still here", (await inbox.NextChatAsync()).Text);
    }

    private static ChatClientOptions Options(RemoteCertificateValidationCallback trusts) => new()
    {
        UseTls = true,
        ConnectTimeout = TestTimeouts.Hang,
        RequestTimeout = TestTimeouts.Hang,
        TlsCertificateValidation = trusts,
    };
}
