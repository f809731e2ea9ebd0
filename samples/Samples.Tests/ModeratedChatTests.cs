using System.Net;
using System.Security.Cryptography;
using System.Text.Json;
using System.Threading.Channels;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;
using ModeratedChat;
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

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Words_wait_for_a_moderator_dice_roll_and_moderators_read_what_was_not_said()
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

        Assert.Empty(await ReadReviewsAsync(port, "bob"));
        Assert.Equal([new Review("ann", 1, "Buy snakeoil!")], await ReadReviewsAsync(port, "mod-cho"));
        Assert.Equal(0, await server.StopAsync());
    }

    [Fact]
    public async Task A_token_of_the_company_logs_in_and_nothing_else_does()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), SampleProcess.NoSignals);
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var signing = new ECDsaSecurityKey(key) { KeyId = "1" };
        JsonWebKey known = JsonWebKeyConverter.ConvertFromECDsaSecurityKey(signing);
        string keys = Path.Combine(_folder, "keys.json");
        await File.WriteAllTextAsync(keys, JsonSerializer.Serialize(new
        {
            keys = new[] { new { kty = known.Kty, crv = known.Crv, x = known.X, y = known.Y, kid = "1" } },
        }));
        string token = new JsonWebTokenHandler().CreateToken(new SecurityTokenDescriptor
        {
            Issuer = "https://login.example.org",
            Audience = "chat",
            Claims = new Dictionary<string, object> { ["sub"] = "42", ["name"] = "Ann Lee" },
            SigningCredentials = new SigningCredentials(signing, SecurityAlgorithms.EcdsaSha256),
        });
        await using SampleProcess server = Start(("MODERATEDCHAT_KEYS", keys));
        int port = await server.WaitForPortAsync();

        await using ChatClient ann = await ChatClient.ConnectAsync("127.0.0.1", port);
        SLoginRes login = await ann.LoginAsync("ann", token);
        await using ChatClient eve = await ChatClient.ConnectAsync("127.0.0.1", port);
        ChatErrorException refused = await Assert.ThrowsAsync<ChatErrorException>(() => eve.LoginAsync("eve", token[..^8] + "AAAAAAAA"));

        Assert.Equal("Ann Lee", login.Name);
        Assert.Equal(ErrorCode.LoginRefused, refused.Code);
        Assert.Equal(0, await server.StopAsync());
    }

    private static async Task<IReadOnlyList<Review>> ReadReviewsAsync(int port, string name)
    {
        await using var connector = new PlayChatConnector(
            FrameFormat.Packet(65_536), new PacketSet().Add(ChatPackets.All).Add(Reviews.Packets), static _ => { });
        Connection connection = await connector.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port));
        await connection.RequestAsync<SLoginRes>(new CLoginReq { Name = name }, Hang.Guard);
        return (await connection.RequestAsync<Reviewed>(new ReadReviews(), Hang.Guard)).Reviews;
    }

    private SampleProcess Start((string Name, string Value)? variable) => SampleProcess.StartProgram(
        Path.Combine(AppContext.BaseDirectory, "ModeratedChat.dll"), _folder, variable, "--port", "0", "--Kpi:Table=false");
}
