using System.Threading.Channels;
using PlayChat.Protocol;

namespace Samples.Tests;

/// <summary>The bot as the program that a user starts, on the real chat server.</summary>
public sealed class TriviaBotTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("trivia-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task It_asks_recognises_the_answer_keeps_the_score_and_goes_on_after_the_server_has_started_anew()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), SampleProcess.NoSignals);
        Assert.SkipWhen(ChatServer.Program is null, ChatServer.NotFound);
        string questions = Path.Combine(_folder, "mine.txt");
        await File.WriteAllTextAsync(questions, "How many legs has a spider? | eight\n");
        int port;
        SampleProcess bot;
        await using (SampleProcess server = ChatServer.Start(_folder))
        {
            port = await server.WaitForPortAsync();
            bot = SampleProcess.Start("TriviaBot", "--port", $"{port}", "--questions", questions, "--pause", "0", "--answer", "3600");
            await bot.WaitForLineAsync(static line => line.StartsWith("Asking in room ", StringComparison.Ordinal));
            await using (ChatClient ann = await ChatClient.ConnectAsync("127.0.0.1", port))
            {
                ChannelReader<string> heard = await EnterAsync(ann);
                await ann.ChatAsync(RoomOf(bot), "It is eight, isn't it?");
                await HearAsync(heard, "Right, ann! That makes 1 point.");
                await HearAsync(heard, "How many legs has a spider?");
            }

            Assert.Equal(0, await server.StopAsync());
        }

        await using SampleProcess started = bot;
        int lines = bot.Lines.Count;
        await using SampleProcess anew = ChatServer.Start(_folder, port);
        await anew.WaitForPortAsync();
        await bot.WaitForLineAsync(static line => line == "Connected again; nothing was missed.", lines);
        await using (ChatClient ann = await ChatClient.ConnectAsync("127.0.0.1", port))
        {
            ChannelReader<string> heard = await EnterAsync(ann);
            await ann.ChatAsync(RoomOf(bot), "eight");
            await HearAsync(heard, "Right, ann! That makes 2 points.");
            await ann.ChatAsync(RoomOf(bot), "score");
            await HearAsync(heard, "ann 2");
        }

        bot.Interrupt();
        Assert.Equal(0, await bot.WaitForExitAsync());
        Assert.Equal(0, await anew.StopAsync());
    }

    [Theory]
    [InlineData(0, "--help")]
    [InlineData(1, "--port", "1")]
    [InlineData(2, "--port", "x")]
    [InlineData(2, "--questions", "no-such-file.txt")]
    [InlineData(2, "--no-such-option")]
    public async Task The_exit_code_and_a_sentence_say_what_was_wrong(int exitCode, params string[] arguments)
    {
        await using SampleProcess program = SampleProcess.Start("TriviaBot", arguments);

        Assert.Equal(exitCode, await program.WaitForExitAsync());
        Assert.NotEmpty(program.Lines);
        Assert.DoesNotContain(program.Lines, static line => line.Contains("   at ", StringComparison.Ordinal));
    }

    /// <summary>Logs in and joins the bot's room, the only one there is.</summary>
    /// <returns>What is said there from now on.</returns>
    private static async Task<ChannelReader<string>> EnterAsync(ChatClient client)
    {
        var heard = Channel.CreateUnbounded<string>();
        client.ChatReceived += (_, received) => heard.Writer.TryWrite(received.Message.Text);
        await client.LoginAsync("ann");
        SListRoomsRes rooms = await client.ListRoomsAsync();
        await client.JoinRoomAsync(Assert.Single(rooms.Rooms).RoomId);
        return heard.Reader;
    }

    private static async Task HearAsync(ChannelReader<string> heard, string words)
    {
        while (await heard.ReadAsync().AsTask().WaitAsync(Hang.Guard) != words)
        {
        }
    }

    /// <summary>Asking in room 1, "trivia".</summary>
    private static long RoomOf(SampleProcess bot) =>
        long.Parse(bot.Lines.Last(static line => line.StartsWith("Asking in room ", StringComparison.Ordinal))
            .Split(' ', ',')[3], System.Globalization.CultureInfo.InvariantCulture);
}
