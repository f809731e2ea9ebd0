using System.Globalization;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Matchmaking.Tests;

/// <summary>Processes that share a queue.</summary>
internal sealed class QueueNodes(string database) : IAsyncDisposable
{
    private readonly object _gate = new();
    private readonly List<(ProgramProcess Process, int Port)> _nodes = [];

    /// <summary>Starts a node for each number of other rooms that it is to run.</summary>
    public async Task StartAsync(params int[] rooms)
    {
        for (int number = 1; number <= rooms.Length; number++)
        {
            ProgramProcess process = ProgramProcess.Start(
                ProgramFile.Find("PlayChat.MatchProbe"),
                Path.GetTempPath(),
                number.ToString(CultureInfo.InvariantCulture),
                database,
                rooms[number - 1].ToString(CultureInfo.InvariantCulture));
            string line = await process.WaitForLineAsync(static line => line.StartsWith("port ", StringComparison.Ordinal));
            _nodes.Add((process, int.Parse(line.AsSpan(5), CultureInfo.InvariantCulture)));
        }
    }

    /// <summary>The port of a node that lives.</summary>
    public int PortFor(int player)
    {
        lock (_gate)
        {
            return _nodes[player % _nodes.Count].Port;
        }
    }

    /// <summary>Kills the node that runs the queue, as soon as one does.</summary>
    public async Task KillOwnerAsync()
    {
        await Eventually.TrueAsync(() => FindOwner() is not null);
        ProgramProcess owner = FindOwner()!;
        lock (_gate)
        {
            _nodes.RemoveAll(node => node.Process == owner);
        }

        owner.Kill();
        await owner.DisposeAsync();
    }

    // A node that has lost the queue was killed, so only the present owner has said that it is one.
    private ProgramProcess? FindOwner() => _nodes.Select(static node => node.Process)
        .FirstOrDefault(static process => process.OutputLines.Contains("owner", StringComparer.Ordinal));

    public async ValueTask DisposeAsync()
    {
        foreach ((ProgramProcess process, _) in _nodes)
        {
            if (process.ErrorLines.Count > 0)
            {
                TestContext.Current.TestOutputHelper?.WriteLine(string.Join('\n', process.ErrorLines.Take(50)));
            }

            process.Kill();
            await process.DisposeAsync();
        }
    }
}
