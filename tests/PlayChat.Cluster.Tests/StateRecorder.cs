using System.Threading.Channels;
using PlayChat.Cluster.Log;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests;

/// <summary>Keeps the changes of a backplane's state.</summary>
internal sealed class StateRecorder
{
    private readonly Channel<BackplaneState> _changes = Channel.CreateUnbounded<BackplaneState>();

    public StateRecorder(RoomBackplane backplane) => backplane.StateChanged += state => _changes.Writer.TryWrite(state);

    /// <summary>Waits for the next change to a state; changes to others are passed over.</summary>
    public async Task WaitAsync(BackplaneState state)
    {
        while (await _changes.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang) != state)
        {
            // Another change.
        }
    }
}
