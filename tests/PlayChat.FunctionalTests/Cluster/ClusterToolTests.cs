using System.Globalization;
using System.Net;
using PlayChat.Protocol;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary><c>tools/cluster</c>, with what it prints taken as its readers take it.</summary>
[Trait("Tier", "Full")]
public sealed class ClusterToolTests
{
    private const int Nodes = 3;

    private readonly string _folder = Path.Combine(Path.GetTempPath(), $"playchat-cluster-{Guid.NewGuid():N}");

    [Fact]
    public async Task What_up_prints_leads_through_a_crash_of_a_node_and_down_ends_what_up_has_started_and_nothing_else()
    {
        await using ServerProcess another = await ServerProcess.StartAsync();
        ReservedPort[] ports = ReservedPort.InARow(Nodes);
        try
        {
            string[] told = await RunAsync("up", "--nodes", $"{Nodes}", "--port", $"{ports[0].Number}", "--dir", _folder);
            await using ChatClient ann = await ConnectAsync(told, "Ann");
            await using ChatClient bob = await ConnectAsync(told, "Bob");
            long room = (await ann.CreateRoomAsync("lobby")).RoomId;
            await bob.JoinRoomAsync(room);
            var heard = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            ann.ChatReceived += (_, chat) =>
            {
                if (chat.Message.Text == "back")
                {
                    heard.TrySetResult();
                }
            };
            var broken = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            bob.Reconnecting += (_, _) => broken.TrySetResult();

            await RunAsync(CommandIn(told, "End Bob's node as a crash would:"));

            await broken.Task.WaitAsync(TestTimeouts.Hang);
            await bob.ChatAsync(room, "back", bob.NewClientMessageId());
            await heard.Task.WaitAsync(TestTimeouts.Hang);
            Assert.Contains("node 2 does not run", await RunAsync("status", "--dir", _folder), StringComparer.Ordinal);
            await RunAsync(CommandIn(told, "Start it again:"));
            string[] status = await RunAsync("status", "--dir", _folder);
            Assert.All(status, static line => Assert.Contains(" runs (process ", line, StringComparison.Ordinal));
            Assert.NotEmpty(Processes());
            await RunAsync(CommandIn(told, "End everything:"));
        }
        finally
        {
            await RunAsync("down", "--dir", _folder);
            Array.ForEach(ports, static port => port.Dispose());
        }

        Assert.Empty(Processes());
        Assert.Empty(Directory.GetDirectories(Path.GetTempPath(), $"{Path.GetFileName(_folder)}*"));
        await using ChatClient cid = await ChatClient.ConnectAsync("127.0.0.1", another.Port);
        await cid.LoginAsync("Cid").WaitAsync(TestTimeouts.Hang);
    }

    /// <summary>Connects a client to the servers that a line of the output names for it.</summary>
    private static async Task<ChatClient> ConnectAsync(string[] told, string name)
    {
        string line = Assert.Single(told, line => line.Contains($"--name {name} --nodes ", StringComparison.Ordinal));
        EndPoint[] servers = [.. line.Split(' ')[^1].Split(',').Select(IPEndPoint.Parse)];
        Assert.Equal(Nodes, servers.Length);
        ChatClient client = await ChatClient.ConnectAsync(servers);
        await client.LoginAsync(name).WaitAsync(TestTimeouts.Hang);
        return client;
    }

    /// <summary>The arguments of the command that a line of the output shows.</summary>
    private static string[] CommandIn(string[] told, string title)
    {
        string line = Assert.Single(told, line => line.StartsWith(title, StringComparison.Ordinal));
        string[] words = line[title.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal("tools/cluster", words[0]);
        return words[1..];
    }

    /// <summary>Runs the tool.</summary>
    /// <returns>What it printed.</returns>
    private async Task<string[]> RunAsync(params string[] arguments)
    {
        await using var tool = ProgramProcess.Start(Repository.PathOf("tools/cluster"), Repository.PathOf(""), arguments);
        Assert.True(await tool.WaitForExitAsync() == 0, tool.Describe());
        return [.. tool.OutputLines];
    }

    /// <summary>The command lines of the processes that belong to the cluster.</summary>
    private string[] Processes() =>
        [.. Directory.GetDirectories("/proc")
            .Where(static folder => int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out _))
            .Select(Describe)
            .Where(text => text.Contains(_folder, StringComparison.Ordinal))];

    private static string Describe(string process)
    {
        try
        {
            string command = File.ReadAllText(Path.Combine(process, "cmdline")).Replace('\0', ' ');
            return command + new FileInfo(Path.Combine(process, "cwd")).LinkTarget;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return ""; // it has ended, or is another user's
        }
    }
}
