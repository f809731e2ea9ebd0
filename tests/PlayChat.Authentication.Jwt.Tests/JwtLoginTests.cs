using System.Text.Json.Serialization;
using Microsoft.IdentityModel.Tokens;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Testing;
using PlayChat.TestUtilities;

namespace PlayChat.Authentication.Jwt.Tests;

/// <summary>A server whose clients log in with a token in their first packet.</summary>
public sealed partial class JwtLoginTests
{
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task A_session_lasts_as_long_as_its_token_and_a_new_token_prolongs_it()
    {
        RsaSecurityKey key = Provider.Rsa("rsa-1");
        await using Provider provider = await Provider.StartAsync(key);
        JwtAuthenticator? jwt = null;
        await using RoomHarness<Room> harness = await RoomHarness.StartServerAsync(
            new PacketSet().AddJson(1, LoginJson.Default.Enter).AddJson(2, LoginJson.Default.Entered),
            server => server
                .UseLogin(new LoginRules<Enter, Entered>
                {
                    Identify = (_, enter, stop) => jwt!.IdentifyAsync(
                        enter.Token, static claims => new(new SessionUser(7, claims.GetClaim("name").Value)), stop),
                    Answer = static result => new Entered(result.Refusal),
                })
                .OnPackets(static _ => { }));
        jwt = new JwtAuthenticator(
            new JwtOptions
            {
                Authority = provider.Address,
                AllowHttp = true,
                Issuer = Provider.Issuer,
                Audiences = [Provider.Audience],
            },
            time: harness.Time);
        using JwtAuthenticator owned = jwt;
        HarnessClient ann = await harness.ConnectAsync();

        Assert.NotNull((await ann.RequestAsync<Entered>(new Enter("eyJ"))).Refusal);
        Assert.Null((await ann.RequestAsync<Entered>(new Enter(Provider.Sign(key, harness.Time.GetUtcNow())))).Refusal);
        await harness.AdvanceAsync(5 * s_minute); // and the skew
        Assert.Null((await ann.RequestAsync<Entered>(new Enter(Provider.Sign(key, harness.Time.GetUtcNow())))).Refusal);
        await harness.AdvanceAsync(5.9 * s_minute);
        Assert.True(ann.Connection.IsOpen);
        await harness.AdvanceAsync(s_minute / 6);

        Assert.Equal(CloseReason.LoginExpired, await ann.Closed.WaitAsync(TestTimeouts.Hang));
    }

    internal sealed record Enter(string Token);

    internal sealed record Entered(string? Refusal);

    [JsonSerializable(typeof(Enter))]
    [JsonSerializable(typeof(Entered))]
    private sealed partial class LoginJson : JsonSerializerContext;
}
