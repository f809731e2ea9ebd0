using System.Security.Cryptography;
using Google.Protobuf;
using PlayChat.Core;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.Storage.Passwords;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Accounts;

/// <summary>Devices that stay logged in by a token.</summary>
public sealed class LoginTokenTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task A_device_logs_in_by_its_token_after_a_restart_and_gets_another_each_time()
    {
        using var directory = new TemporaryDirectory();
        SLoginRes login;
        await using (TestServer first = await TestServer.StartInAsync(directory.Path, null))
        {
            login = await LogInAsync(first);
            await first.StopAsync();
        }

        await using TestServer second = await TestServer.StartInAsync(directory.Path, null);
        SLoginRes again = await UseAsync(second, login.LoginToken);
        SLoginRes third = await UseAsync(second, again.LoginToken);

        Assert.Equal(32, login.LoginToken.Length);
        Assert.Equal((login.PlayerId, "Bob"), (again.PlayerId, again.Name));
        Assert.Equal(3, new[] { login, again, third }.Select(static answer => answer.LoginToken).Distinct().Count());
        LoginTokenHashes stored = Assert.Single(await second.Store.ListLoginTokensAsync(login.PlayerId));
        Assert.Equal(Convert.ToHexString(SHA256.HashData(third.LoginToken.Span)), stored.Newest);
        Assert.Empty((await LogInAsync(second, keep: false)).LoginToken);
    }

    [Fact]
    public async Task A_token_whose_answer_was_lost_is_good_until_the_next_one_is_used_and_after_that_it_ends_the_device()
    {
        await using TestServer server = await TestServer.StartAsync();
        ByteString first = (await LogInAsync(server)).LoginToken;
        await UseAsync(server, first); // its answer is lost
        ByteString next = (await UseAsync(server, first)).LoginToken;
        await using TestClient device = await server.ConnectAsync();
        ByteString newest = (await LoginAsync(device, next)).LoginToken;

        SErrorNtf refused = await FailAsync(server, first);
        SCloseNtf told = await device.NextAsync<SCloseNtf>();

        Assert.Equal(ErrorCode.LoginTokenRefused, refused.Code);
        Assert.Equal(
            "The login of this device was also used elsewhere. Log in again, and change your password if that was not you.", told.Message);
        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(server, newest)).Code);
    }

    [Fact]
    public async Task Of_a_token_and_its_copy_the_one_that_is_used_last_ends_the_device()
    {
        await using TestServer server = await TestServer.StartAsync();
        ByteString stolen = (await LogInAsync(server)).LoginToken;
        ByteString owners = (await UseAsync(server, stolen)).LoginToken;
        ByteString thiefs = (await UseAsync(server, stolen)).LoginToken; // as if an answer had been lost

        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(server, owners)).Code);
        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(server, thiefs)).Code);
    }

    [Theory]
    [InlineData("")]
    [InlineData("short")]
    [InlineData("thirty-two bytes that are unknown")]
    public async Task A_token_that_is_unknown_is_refused_and_only_so_often(string text)
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient client = await server.ConnectAsync();
        ByteString token = text.Length == 0 ? ByteString.CopyFrom(new byte[32]) : ByteString.CopyFromUtf8(text);

        for (int i = 0; i < 16; i++)
        {
            Assert.Equal(
                ErrorCode.LoginTokenRefused, (await client.FailAsync(ChatPackets.CLoginReq, new CLoginReq { LoginToken = token })).Code);
        }

        Assert.Equal(CloseCode.LoginRequired, (await client.NextAsync<SCloseNtf>()).Reason);
    }

    [Fact]
    public async Task A_token_expires_after_its_last_use()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Accounts:KeepLogin=00:00:10");
        ByteString token = (await LogInAsync(server)).LoginToken;
        _time.Advance(TimeSpan.FromSeconds(9));
        token = (await UseAsync(server, token)).LoginToken;
        _time.Advance(TimeSpan.FromSeconds(9));
        token = (await UseAsync(server, token)).LoginToken;

        _time.Advance(TimeSpan.FromSeconds(11));

        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(server, token)).Code);
        SLoginRes other = await LogInAsync(server);
        Assert.Single(await server.Store.ListLoginTokensAsync(other.PlayerId)); // the expired one is gone
    }

    [Fact]
    public async Task Without_a_time_no_device_stays_logged_in()
    {
        await using TestServer server = await TestServer.StartAsync("--Accounts:KeepLogin=00:00:00");

        Assert.Empty((await LogInAsync(server)).LoginToken);
    }

    [Fact]
    public async Task Ten_devices_stay_logged_in()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time);
        List<ByteString> tokens = [];
        for (int i = 0; i < 11; i++)
        {
            tokens.Add((await LogInAsync(server)).LoginToken);
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(server, tokens[0])).Code);
        await UseAsync(server, tokens[1]);
    }

    [Theory]
    [InlineData("password")]
    [InlineData("disabled")]
    [InlineData("deleted")]
    public async Task What_an_operator_does_to_the_account_ends_its_tokens(string change)
    {
        await using TestServer server = await TestServer.StartAsync();
        SLoginRes login = await LogInAsync(server);
        bool isDone = change switch
        {
            "password" => await server.Store.UpdatePasswordHashAsync(
                login.PlayerId, new PasswordHasher(PasswordHasher.MinIterations).Hash("new password")),
            "disabled" => await server.Store.SetAccountDisabledAsync(login.PlayerId, disabled: true),
            _ => await server.Store.DeleteAccountAsync(login.PlayerId),
        };

        Assert.True(isDone);
        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(server, login.LoginToken)).Code);
    }

    [Fact]
    public async Task A_ban_bars_a_device_whose_token_is_good_when_the_ban_is_lifted()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--Accounts:BanInterval=00:00:10");
        await using TestClient client = await server.ConnectAsync();
        SLoginRes login = await LogInAsync(client);
        var ban = new Ban(BanSubject.OfAccount("Bob"), "spam", _time.GetUtcNow(), null);
        await server.Store.SaveBanAsync(ban);
        _time.Advance(TimeSpan.FromSeconds(10));
        await client.Closed;

        Assert.Equal(ErrorCode.Banned, (await FailAsync(server, login.LoginToken)).Code);

        await server.Store.RemoveBanAsync(ban.Subject);
        _time.Advance(TimeSpan.FromSeconds(10));
        await Eventually.GetAsync(() => AnswerAsync(server, login.LoginToken), static answer => answer is SLoginRes);
    }

    [Fact]
    public async Task A_changed_password_ends_the_tokens_and_the_device_on_which_it_was_changed_gets_another()
    {
        await using TestServer server = await TestServer.StartAsync();
        SLoginRes laptop = await LogInAsync(server);
        await using TestClient phone = await server.ConnectAsync();
        SLoginRes login = await LogInAsync(phone);

        SChangePasswordRes changed = await phone.AskAsync<CChangePasswordReq, SChangePasswordRes>(
            ChatPackets.CChangePasswordReq, new CChangePasswordReq { OldPassword = "correct horse", NewPassword = "battery staple" });

        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(server, laptop.LoginToken)).Code);
        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(server, login.LoginToken)).Code);
        Assert.Equal("Bob", (await UseAsync(server, changed.LoginToken)).Name);
    }

    [Fact]
    public async Task A_device_that_is_only_kept_is_listed_with_its_last_use_and_can_be_logged_out()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time);
        ByteString kept = (await LogInAsync(server)).LoginToken;
        _time.Advance(TimeSpan.FromMinutes(1));
        DateTimeOffset lastUse = _time.GetUtcNow();
        kept = (await UseAsync(server, kept)).LoginToken;
        _time.Advance(TimeSpan.FromMinutes(1));
        await using TestClient phone = await server.ConnectAsync();
        await LogInAsync(phone);
        await using TestClient stranger = await server.LoginAsync("Eve");

        Device[] devices = [.. (await ListAsync(phone)).Devices];
        await EndAsync(stranger, devices[1].DeviceId);
        Assert.Equal(2, (await ListAsync(phone)).Devices.Count);
        await EndAsync(phone, devices[1].DeviceId);

        Assert.Equal((true, true, false), (devices[0].IsThis, devices[0].Kept, devices[0].Offline));
        Assert.Equal((false, true, true, ""), (devices[1].IsThis, devices[1].Kept, devices[1].Offline, devices[1].Address));
        Assert.Equal(lastUse.ToUnixTimeMilliseconds(), devices[1].LastSeenUnixMs);
        Assert.Equal(lastUse.AddMinutes(-1).ToUnixTimeMilliseconds(), devices[1].SinceUnixMs);
        Assert.Equal("test/1", devices[1].ClientVersion);
        Assert.Single((await ListAsync(phone)).Devices);
        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(server, kept)).Code);
    }

    [Fact]
    public async Task A_device_that_is_logged_out_elsewhere_neither_resumes_nor_logs_in_by_its_token_even_after_a_restart()
    {
        using var directory = new TemporaryDirectory();
        SLoginRes laptop;
        ByteString mine;
        await using (TestServer first = await TestServer.StartInAsync(directory.Path, null))
        {
            await using TestClient client = await first.ConnectAsync();
            laptop = await LogInAsync(client);
            mine = (await LogInAsync(first)).LoginToken;
            await first.StopAsync();
        }

        await using TestServer second = await TestServer.StartInAsync(directory.Path, null);
        await using TestClient phone = await second.ConnectAsync();
        await LoginAsync(phone, mine);
        Device offline = Assert.Single((await ListAsync(phone)).Devices, static device => device.Offline);
        await EndAsync(phone, offline.DeviceId);
        await using TestClient back = await second.ConnectAsync();

        Assert.Equal(ErrorCode.ResumeRefused, (await Resuming.FailAsync(back, laptop.ResumeToken)).Code);
        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(second, laptop.LoginToken)).Code);
    }

    [Fact]
    public async Task Tabs_that_share_a_token_are_listed_each_and_one_that_is_ended_takes_the_token_from_none()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient first = await server.ConnectAsync();
        ByteString token = (await LogInAsync(first)).LoginToken;
        await using TestClient second = await server.ConnectAsync();
        token = (await LoginAsync(second, token)).LoginToken;

        Device other = Assert.Single((await ListAsync(first)).Devices, static device => !device.IsThis);
        await EndAsync(first, other.DeviceId);

        Assert.True(other.Kept);
        Assert.Equal("You were logged out on another device.", (await second.NextAsync<SCloseNtf>()).Message);
        await UseAsync(server, token);
    }

    [Fact]
    public async Task A_device_that_forgets_its_token_stays_connected_and_its_other_tabs_are_logged_out()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient first = await server.ConnectAsync();
        ByteString token = (await LogInAsync(first)).LoginToken;
        await using TestClient second = await server.ConnectAsync();
        token = (await LoginAsync(second, token)).LoginToken;
        await using TestClient elsewhere = await server.ConnectAsync();
        ByteString others = (await LogInAsync(elsewhere)).LoginToken;

        await EndAsync(first, deviceId: 0);
        await EndAsync(first, deviceId: 0);

        Assert.Equal("You were logged out in another tab.", (await second.NextAsync<SCloseNtf>()).Message);
        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(server, token)).Code);
        await UseAsync(server, others);
        Assert.Contains((await ListAsync(first)).Devices, static device => device is { IsThis: true, Kept: false });
    }

    [Fact]
    public async Task The_device_of_a_session_is_known_after_a_restart()
    {
        using var directory = new TemporaryDirectory();
        SLoginRes login;
        await using (TestServer first = await TestServer.StartInAsync(directory.Path, null))
        {
            await using TestClient client = await first.ConnectAsync();
            login = await LogInAsync(client);
            await first.StopAsync();
        }

        await using TestServer second = await TestServer.StartInAsync(directory.Path, null);
        await using TestClient back = await second.ConnectAsync();
        await Resuming.ResumeAsync(back, login.ResumeToken);

        Device device = Assert.Single((await ListAsync(back)).Devices);
        Assert.Equal((true, true, false), (device.IsThis, device.Kept, device.Offline));
    }

    [Fact]
    public async Task An_account_without_a_password_stays_logged_in_while_its_name_alone_would_be_enough()
    {
        using var directory = new TemporaryDirectory();
        ByteString token;
        await using (TestServer open = await TestServer.StartInAsync(directory.Path, null))
        {
            await using TestClient client = await open.ConnectAsync();
            token = (await client.AskAsync<CLoginReq, SLoginRes>(
                ChatPackets.CLoginReq, new CLoginReq { Name = "Kim", Keep = true })).LoginToken;
            token = (await UseAsync(open, token)).LoginToken;
            await open.StopAsync();
        }

        await using TestServer closed = await TestServer.StartInAsync(directory.Path, null, "--Accounts:AllowPasswordless=false");

        Assert.Equal(ErrorCode.LoginTokenRefused, (await FailAsync(closed, token)).Code);
    }

    private static async Task<SLoginRes> LogInAsync(TestServer server, bool keep = true)
    {
        await using TestClient client = await server.ConnectAsync();
        SLoginRes answer = await LogInAsync(client, keep);
        await LogOutAsync(client);
        return answer;
    }

    private static Task<SLoginRes> LogInAsync(TestClient client, bool keep = true) => client.AskAsync<CLoginReq, SLoginRes>(
        ChatPackets.CLoginReq, new CLoginReq { Name = "Bob", Password = "correct horse", ClientVersion = "test/1", Keep = keep });

    private static async Task<SLoginRes> UseAsync(TestServer server, ByteString token) =>
        Assert.IsType<SLoginRes>(await AnswerAsync(server, token));

    private static async Task<SErrorNtf> FailAsync(TestServer server, ByteString token) =>
        Assert.IsType<SErrorNtf>(await AnswerAsync(server, token));

    /// <summary>Logs in by a token, and out again.</summary>
    private static async Task<IMessage> AnswerAsync(TestServer server, ByteString token)
    {
        await using TestClient client = await server.ConnectAsync();
        client.Send(ChatPackets.CLoginReq, new CLoginReq { LoginToken = token, ClientVersion = "test/1" }, 1);
        IMessage answer = await client.NextAnswerAsync(1);
        if (answer is SLoginRes)
        {
            await LogOutAsync(client);
        }

        return answer;
    }

    // So that no session of the device is there when the caller continues.
    private static async Task LogOutAsync(TestClient client)
    {
        client.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());
        await client.Closed;
    }

    private static Task<SLoginRes> LoginAsync(TestClient client, ByteString token) =>
        client.AskAsync<CLoginReq, SLoginRes>(ChatPackets.CLoginReq, new CLoginReq { LoginToken = token, ClientVersion = "test/1" });

    private static Task<SListDevicesRes> ListAsync(TestClient client) =>
        client.AskAsync<CListDevicesReq, SListDevicesRes>(ChatPackets.CListDevicesReq, new CListDevicesReq());

    private static Task<SEndDeviceRes> EndAsync(TestClient client, long deviceId) =>
        client.AskAsync<CEndDeviceReq, SEndDeviceRes>(ChatPackets.CEndDeviceReq, new CEndDeviceReq { DeviceId = deviceId });
}
