using System.Net;
using System.Security.Cryptography;
using System.Text.Json;
using System.Threading.Channels;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;
using ModeratedChat;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Protocol;

namespace Samples.Tests;

/// <summary>The chat server with rules of its own, as the program that a user starts.</summary>
public sealed class ModeratedChatTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("moderated-").FullName;
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);

    public void Dispose()
    {
        _key.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Words_wait_for_a_moderator_dice_roll_and_no_name_reads_what_was_not_said()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), SampleProcess.NoSignals);
        await using SampleProcess server = Start(null);
        int port = await server.WaitForPortAsync();
        await using (ChatClient ann = await ChatClient.ConnectAsync("127.0.0.1", port))
        {
            await ann.LoginAsync("ann");
            SCreateRoomRes room = await ann.CreateRoomAsync("den");
            Channel<string> heard = Channel.CreateUnbounded<string>();
            ann.ChatReceived += (_, said) => heard.Writer.TryWrite(said.Message.Text);

            ChatErrorException refused = await Assert.ThrowsAsync<ChatErrorException>(() => ann.ChatAsync(room.RoomId, "Buy snakeoil!"));
            await ann.ChatAsync(room.RoomId, "/roll");

            Assert.Equal(ErrorCode.Forbidden, refused.Code);
            Assert.Equal("A moderator looks at this text. Say it in other words.", refused.Message);
            Assert.Matches("^🎲 [1-6]$", await heard.Reader.ReadAsync().AsTask().WaitAsync(Hang.Guard));
        }

        Assert.Empty(await ReadReviewsAsync(port, "bob", password: null));
        Assert.Empty(await ReadReviewsAsync(port, "mod-cho", password: null));
        Assert.Equal(0, await server.StopAsync());
    }

    [Fact]
    public async Task A_token_of_the_company_logs_in_until_it_expires_and_nothing_else_does()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), SampleProcess.NoSignals);
        await using SampleProcess server = Start(("MODERATEDCHAT_KEYS", await WriteKeysAsync()));
        int port = await server.WaitForPortAsync();
        await using ChatClient ann = await ChatClient.ConnectAsync("127.0.0.1", port);
        await using ChatClient eve = await ChatClient.ConnectAsync("127.0.0.1", port);

        // A token is good for a minute longer than it says, because clocks differ.
        string token = CreateToken("Ann Lee", isModerator: false, DateTime.UtcNow - TimeSpan.FromSeconds(45));
        SLoginRes login = await ann.LoginAsync("ann", token);
        ChatErrorException refused = await Assert.ThrowsAsync<ChatErrorException>(() => eve.LoginAsync("eve", token[..^8] + "AAAAAAAA"));
        ChatDisconnectedEventArgs end = await ann.Closed.WaitAsync(Hang.Guard);

        Assert.Equal("Ann Lee", login.Name);
        Assert.Equal(ErrorCode.LoginRefused, refused.Code);
        Assert.Equal(CloseReason.LoginExpired, end.Reason);
        Assert.Equal(0, await server.StopAsync());
    }

    [Fact]
    public async Task A_token_of_a_moderator_reads_what_was_not_said()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), SampleProcess.NoSignals);
        await using SampleProcess server = Start(("MODERATEDCHAT_KEYS", await WriteKeysAsync()));
        int port = await server.WaitForPortAsync();
        DateTime expires = DateTime.UtcNow + TimeSpan.FromHours(1);
        string anns = CreateToken("mod-ann", isModerator: false, expires);
        await using (ChatClient ann = await ChatClient.ConnectAsync("127.0.0.1", port))
        {
            await ann.LoginAsync("", anns);
            SCreateRoomRes room = await ann.CreateRoomAsync("den");
            await Assert.ThrowsAsync<ChatErrorException>(() => ann.ChatAsync(room.RoomId, "Buy snakeoil!"));
        }

        Assert.Empty(await ReadReviewsAsync(port, "", anns));
        string chos = CreateToken("Cho", isModerator: true, expires);
        Assert.Equal([new Review("mod-ann", 1, "Buy snakeoil!")], await ReadReviewsAsync(port, "", chos));
        Assert.Equal(0, await server.StopAsync());
    }

    /// <summary>Logs in, and reads with what has logged in.</summary>
    private static async Task<IReadOnlyList<Review>> ReadReviewsAsync(int port, string name, string? password)
    {
        await using var connector = new PlayChatConnector(
            FrameFormat.Packet(65_536), new PacketSet().Add(ChatPackets.All).Add(Reviews.Packets), static _ => { });
        Connection connection = await connector.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port));
        await connection.RequestAsync<SLoginRes>(new CLoginReq { Name = name, Password = password ?? "" }, Hang.Guard);
        return (await connection.RequestAsync<Reviewed>(new ReadReviews(password), Hang.Guard)).Reviews;
    }

    /// <summary>Writes the public key of the company.</summary>
    private async Task<string> WriteKeysAsync()
    {
        JsonWebKey known = JsonWebKeyConverter.ConvertFromECDsaSecurityKey(new ECDsaSecurityKey(_key));
        string keys = Path.Combine(_folder, "keys.json");
        await File.WriteAllTextAsync(keys, JsonSerializer.Serialize(new
        {
            keys = new[] { new { kty = known.Kty, crv = known.Crv, x = known.X, y = known.Y, kid = "1" } },
        }));
        return keys;
    }

    private string CreateToken(string name, bool isModerator, DateTime expires)
    {
        var token = new SecurityTokenDescriptor
        {
            Issuer = "https://login.example.org",
            Audience = "chat",
            Claims = new Dictionary<string, object> { ["sub"] = name, ["name"] = name, ["moderator"] = isModerator },
            IssuedAt = expires - TimeSpan.FromHours(1),
            NotBefore = expires - TimeSpan.FromHours(1),
            Expires = expires,
            SigningCredentials = new SigningCredentials(new ECDsaSecurityKey(_key) { KeyId = "1" }, SecurityAlgorithms.EcdsaSha256),
        };
        return new JsonWebTokenHandler().CreateToken(token);
    }

    private SampleProcess Start((string Name, string Value)? variable) => SampleProcess.StartProgram(
        Path.Combine(AppContext.BaseDirectory, "ModeratedChat.dll"), _folder, variable, "--port", "0", "--Kpi:Table=false");
}
