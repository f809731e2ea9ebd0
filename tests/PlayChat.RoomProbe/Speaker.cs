using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using PlayChat.Protocol;

namespace PlayChat.RoomProbe;

/// <summary>The member that talks. It numbers its messages from 1 on.</summary>
/// <param name="client">Its connection.</param>
/// <param name="roomId">Where it talks.</param>
internal sealed class Speaker(ChatClient client, long roomId)
{
    /// <summary>How its messages begin. The number follows.</summary>
    public const string Mark = "beside ";

    private readonly ConcurrentDictionary<int, long> _saidAt = new();

    /// <summary>The number of its last message.</summary>
    public int Said { get; private set; }

    /// <summary>The timestamp of a message; null if it never said it.</summary>
    public long? SaidAt(int number) => _saidAt.TryGetValue(number, out long timestamp) ? timestamp : null;

    /// <summary>Says the next message.</summary>
    public void Say()
    {
        int number = ++Said;
        _saidAt[number] = Stopwatch.GetTimestamp();
        // Without a connection the message is lost, and reported as such.
        client.SendChat(roomId, Mark + number.ToString(CultureInfo.InvariantCulture));
    }
}
