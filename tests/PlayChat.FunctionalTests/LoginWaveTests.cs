using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>Everybody comes back at once, as after a restart.</summary>
[Trait("Tier", "Full")]
public sealed class LoginWaveTests
{
    private const int Logins = 500;

    // Hashes go after everything else on the machine, other tests included; these are few enough.
    private const string Iterations = "--Accounts:PasswordIterations=2000";

    [Fact]
    public async Task Five_hundred_logins_at_once_all_finish_beside_a_chat_that_goes_on()
    {
        await using ServerProcess server = await ServerProcess.StartAsync(Iterations);
        await using ChatClient speaker = await Players.LoginAsync(server, "speaker");
        var inbox = new Inbox(speaker);
        long roomId = (await speaker.CreateRoomAsync("goes on")).RoomId;
        await using ChatConnector connector = Players.Connector(server);

        async Task<SLoginRes> LoginAsync(string name) => await (await connector.ConnectAsync()).LoginAsync(name, "password");
        Task<SLoginRes[]> wave = Task.WhenAll(Enumerable.Range(0, Logins).Select(i => LoginAsync($"player {i}")));
        int said = 0;
        do
        {
            await speaker.ChatAsync(roomId, $"{++said}");
            Assert.Equal($"{said}", (await inbox.NextChatAsync()).Text);
        }
        while (!wave.IsCompleted);
        SLoginRes[] answers = await wave;

        Assert.Equal(Logins, answers.Select(static answer => answer.PlayerId).Distinct().Count());
        Assert.True(said > 1);

        // Once more, now that all have accounts: each takes over from its older session.
        answers = await Task.WhenAll(Enumerable.Range(0, Logins).Select(i => LoginAsync($"PLAYER {i}"))).WaitAsync(TestTimeouts.Hang);
        Assert.All(answers, static (answer, i) => Assert.Equal($"player {i}", answer.Name));
    }
}
