using Microsoft.Data.Sqlite;
using PlayChat.FunctionalTests.Cluster;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Errors;

/// <summary>Every error code of error.proto is met at least once.</summary>
public sealed class ErrorCodeTests(SharedServer shared)
{
    /// <summary>Those that take more than a request to a server with its usual settings. Each has a test below with its name.</summary>
    private static readonly Dictionary<ErrorCode, string> s_others = new()
    {
        [ErrorCode.UnknownPacket] = nameof(UnknownPacket_answers_an_id_that_the_server_does_not_know),
        [ErrorCode.ResumeRefused] = nameof(ResumeRefused_answers_a_token_that_is_not_good),
        [ErrorCode.LoginThrottled] = nameof(LoginThrottled_answers_logins_after_some_that_failed),
        [ErrorCode.PasswordTooShort] = nameof(PasswordTooShort_answers_a_registration_with_a_short_password),
        [ErrorCode.Banned] =
            nameof(BanTests.A_banned_player_and_a_banned_address_lose_their_sessions_and_do_not_get_in_while_the_server_runs),
        [ErrorCode.StorageUnavailable] = nameof(StorageUnavailable_answers_a_login_while_the_database_is_locked),
        [ErrorCode.Unavailable] =
            nameof(NodeFailureTests.A_killed_and_restarted_database_loses_and_doubles_nothing_that_was_acknowledged),
        [ErrorCode.Internal] = nameof(Internal_answers_a_login_to_a_damaged_account),
    };

    // Met in PlayChat.Server.Tests, without a process: Redirect in NodeStopTests, RateLimited in RateLimitTests, Forbidden in
    // ChatRulesTests, RoomNameTaken in LastingRoomTests, MessageNotFound in EditTests, PlayerRefuses, PlayerBlocked and BlockListFull in
    // StoredDirectChatTests, LoginTokenRefused in LoginTokenTests, NameTaken in RegistrationTests, RoomPasswordRequired, RoomLocked and
    // RoomTermsInvalid in RoomDoorTests, the others in ErrorTests.
    private static readonly ErrorCode[] s_ofServerTests =
    [
        ErrorCode.RoomFull, ErrorCode.ServerFull, ErrorCode.RateLimited, ErrorCode.ServerBusy, ErrorCode.ServerShutdown, ErrorCode.Redirect,
        ErrorCode.Forbidden, ErrorCode.RoomNameTaken, ErrorCode.MessageNotFound, ErrorCode.PlayerRefuses, ErrorCode.PlayerBlocked,
        ErrorCode.BlockListFull, ErrorCode.LoginTokenRefused, ErrorCode.NameTaken, ErrorCode.RoomPasswordRequired, ErrorCode.RoomLocked,
        ErrorCode.RoomTermsInvalid,
    ];

    // A text that tells its reader to do something else adds the verb here.
    private static readonly HashSet<string> s_verbs = new(StringComparer.OrdinalIgnoreCase)
    {
        "Ask", "Check", "Choose", "Connect", "Correct", "Join", "Leave", "List", "Log", "Look", "Send", "Shorten", "Try",
    };

    public static TheoryData<ErrorCode> Scenes => new(ErrorScenes.All.Keys);

    [Fact]
    public void No_error_code_is_left_out()
    {
        IEnumerable<ErrorCode> tested = ErrorScenes.All.Keys.Concat(s_others.Keys).Concat(s_ofServerTests);

        Assert.Equal(Enum.GetValues<ErrorCode>().Where(static code => code != ErrorCode.None).Order(), tested.Order());
    }

    [Theory]
    [MemberData(nameof(Scenes))]
    public async Task A_request_that_breaks_a_rule_is_answered_with_its_code(ErrorCode code)
    {
        await using ChatClient player = await Players.LoginAsync(shared.Process, $"meets {code}");

        ChatErrorException error = await Assert.ThrowsAsync<ChatErrorException>(() => ErrorScenes.All[code](shared.Process, player));

        Assert.Equal(code, error.Code);
        AssertSaysWhatToDo(error.Message);
        await AssertServesAsync(player);
    }

    [Fact]
    public async Task UnknownPacket_answers_an_id_that_the_server_does_not_know()
    {
        const ushort Unknown = 999;
        const ushort RequestId = 77;
        using RawPeer peer = await RawPeer.ConnectAsync(shared.Process.Port);
        await peer.SendAsync(HostileFrames.Login("newer than the server"));
        await peer.ReceivePacketAsync();

        await peer.SendAsync(RawPeer.Packet(Unknown, RequestId, [1, 2, 3]));
        RawPacket? answer = await peer.ReceivePacketAsync();

        Assert.Equal(((ushort)PacketId.SErrorNtf, RequestId), (answer?.Id, answer?.RequestId));
        var error = SErrorNtf.Parser.ParseFrom(answer!.Value.Payload);
        Assert.Equal((ErrorCode.UnknownPacket, (uint)Unknown), (error.Code, error.PacketId));
    }

    [Fact]
    public async Task ResumeRefused_answers_a_token_that_is_not_good()
    {
        const ushort RequestId = 78;
        using RawPeer peer = await RawPeer.ConnectAsync(shared.Process.Port);

        await peer.SendAsync(RawPeer.Packet((ushort)PacketId.CResumeReq, RequestId, Payload.Of(new CResumeReq())));
        RawPacket? answer = await peer.ReceivePacketAsync();

        Assert.Equal(((ushort)PacketId.SErrorNtf, RequestId), (answer?.Id, answer?.RequestId));
        Assert.Equal(ErrorCode.ResumeRefused, SErrorNtf.Parser.ParseFrom(answer!.Value.Payload).Code);

        // A login on the same connection is as good as on another.
        await peer.SendAsync(HostileFrames.Login("could not resume"));
        Assert.Equal((ushort)PacketId.SLoginRes, (await peer.ReceivePacketAsync())?.Id);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task PasswordTooShort_answers_a_registration_with_a_short_password()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--Accounts:MinPasswordLength=128");
        await using ChatClient client = await Players.ConnectAsync(server);

        await AssertRefusedAsync(ErrorCode.PasswordTooShort, () => client.LoginAsync("kim", new string('p', 127)));

        Assert.Equal("kim", (await client.LoginAsync("kim", new string('p', 128))).Name);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task LoginThrottled_answers_logins_after_some_that_failed()
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--Accounts:PasswordIterations=1000", "--Accounts:FailedLoginsPerName=1", "--Accounts:FailedLoginWindow=01:00:00");
        await using ChatClient owner = await Players.LoginAsync(server, "has a password", "right");
        await using ChatClient client = await Players.ConnectAsync(server);
        await AssertRefusedAsync(ErrorCode.LoginRefused, () => client.LoginAsync("has a password", "wrong"));

        ChatErrorException error = await Assert.ThrowsAsync<ChatErrorException>(() => client.LoginAsync("has a password", "right"));

        Assert.Equal(ErrorCode.LoginThrottled, error.Code);
        Assert.InRange(error.RetryAfter, TimeSpan.FromMinutes(50), TimeSpan.FromMinutes(60));
        Assert.Equal("somebody else", (await client.LoginAsync("somebody else", "right")).Name);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task StorageUnavailable_answers_a_login_while_the_database_is_locked()
    {
        await using ServerProcess server = await ServerProcess.StartAsync("--Storage:BusyTimeout=00:00:00");
        await using ChatClient client = await Players.ConnectAsync(server);
        await using SqliteConnection other = await OpenAsync(server);
        using SqliteTransaction writing = other.BeginTransaction(deferred: false);

        await AssertRefusedAsync(ErrorCode.StorageUnavailable, () => client.LoginAsync("waits"));
        await writing.RollbackAsync();

        // The same connection may try again, and what failed has left nothing.
        Assert.Equal(1, (await client.LoginAsync("waits")).PlayerId);
    }

    [Fact]
    public async Task Internal_answers_a_login_to_a_damaged_account()
    {
        await using ServerProcess server = await ServerProcess.StartAsync();
        await using ChatClient sound = await Players.LoginAsync(server, "sound");
        await using (await Players.LoginAsync(server, "damaged"))
        {
            await using SqliteConnection other = await OpenAsync(server);
            await using SqliteCommand command = other.CreateCommand();
            command.CommandText = "UPDATE account SET created_at = 'yesterday' WHERE name = 'damaged'";
            Assert.Equal(1, await command.ExecuteNonQueryAsync());
        }

        await AssertRefusedAsync(ErrorCode.Internal, () => Players.LoginAsync(server, "damaged"));

        // One request failed; neither its connection nor anybody else's did.
        await AssertServesAsync(sound);
        await using ChatClient again = await Players.ConnectAsync(server);
        await AssertRefusedAsync(ErrorCode.Internal, () => again.LoginAsync("damaged"));
        Assert.Equal("sane", (await again.LoginAsync("sane")).Name);
    }

    private static async Task AssertRefusedAsync(ErrorCode code, Func<Task> request)
    {
        ChatErrorException error = await Assert.ThrowsAsync<ChatErrorException>(request);
        Assert.Equal(code, error.Code);
        AssertSaysWhatToDo(error.Message);
    }

    /// <summary>A text says what is wrong, and in its last clause what to do: that begins with the verb.</summary>
    private static void AssertSaysWhatToDo(string message)
    {
        string[] clauses = message.Split([". ", "; "], StringSplitOptions.None);
        string verb = clauses[^1].Split(' ')[0].TrimEnd('.', ',');

        Assert.True(clauses.Length > 1 && s_verbs.Contains(verb), $"This does not say what to do: {message}");
        Assert.EndsWith(".", message, StringComparison.Ordinal);
    }

    private static async Task AssertServesAsync(ChatClient client) =>
        Assert.Equal(new byte[] { 1, 2, 3 }, (await client.EchoAsync(new byte[] { 1, 2, 3 })).ToArray());

    private static async Task<SqliteConnection> OpenAsync(ServerProcess server)
    {
        var connection =
            new SqliteConnection(new SqliteConnectionStringBuilder { DataSource = server.DatabasePath, Pooling = false }.ToString());
        await connection.OpenAsync();
        return connection;
    }
}
