using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.TestUtilities;
using static PlayChat.Cluster.Tests.Rooms.HallPackets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>A client of a hall, with everything that it has heard. Thread-safe.</summary>
internal sealed class HallClient
{
    private readonly List<string> _heard = []; // guarded by itself
    private readonly List<(Func<string, bool> IsMeant, int From, TaskCompletionSource<string> Found)> _watchers = []; // guarded by _heard

    public Connection Connection { get; private set; } = null!; // set by Attach

    public IReadOnlyList<string> Heard
    {
        get
        {
            lock (_heard)
            {
                return [.. _heard];
            }
        }
    }

    public void Attach(Connection connection) => Connection = connection;

    public void Hear(string text)
    {
        lock (_heard)
        {
            _heard.Add(text);
            foreach (var watcher in _watchers.Where(watcher => _heard.Count > watcher.From && watcher.IsMeant(text)).ToArray())
            {
                watcher.Found.SetResult(text);
                _watchers.Remove(watcher);
            }
        }
    }

    public async Task<string> EnterAsync(string name) =>
        (await Connection.RequestAsync<Entered>(new Enter(name), TestTimeouts.Hang)).Result;

    public void Say(string text) => Connection.SendPacket(new Say(text));

    /// <summary>Asks the room; what it has sent before is then heard.</summary>
    /// <returns>The tag of the room object, the score, the number of members, and the name.</returns>
    public async Task<string[]> AskAsync(string question = "") =>
        (await Connection.RequestAsync<Told>(new Ask(question), TestTimeouts.Hang)).Answer.Split(' ');

    public Task<string> WaitForAsync(string text) => WaitForAsync(heard => heard == text);

    /// <summary>Waits until it has heard something, before or after the call.</summary>
    /// <param name="isMeant">Chooses the text.</param>
    /// <param name="from">So many texts are passed over.</param>
    public async Task<string> WaitForAsync(Func<string, bool> isMeant, int from = 0)
    {
        var found = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_heard)
        {
            if (_heard.Skip(from).FirstOrDefault(isMeant) is { } text)
            {
                return text;
            }

            _watchers.Add((isMeant, from, found));
        }

        try
        {
            return await found.Task.WaitAsync(TestTimeouts.Hang);
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"It was not heard. Heard: {string.Join(", ", Heard)}", e);
        }
    }
}
