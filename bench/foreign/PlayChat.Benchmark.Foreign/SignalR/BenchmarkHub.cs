using Microsoft.AspNetCore.SignalR;
using PlayChat.Benchmark.Baselines;

namespace PlayChat.Benchmark.Foreign.SignalR;

/// <summary>What clients call. Public methods are the hub's protocol.</summary>
internal sealed class BenchmarkHub(BaselineCounters counters, SignalRRooms rooms) : Hub
{
    /// <summary>The client's method for a message of its room.</summary>
    public const string Heard = "heard";

    private const string RoomKey = "room";

    public override Task OnConnectedAsync()
    {
        counters.OnAccepted();
        return base.OnConnectedAsync();
    }

    public override Task OnDisconnectedAsync(Exception? exception)
    {
        counters.OnClosed();
        if (Context.Items[RoomKey] is string room)
        {
            rooms.Add(room, -1);
        }

        return base.OnDisconnectedAsync(exception);
    }

    public byte[] Echo(byte[] payload)
    {
        counters.OnReceived(payload.Length, frames: 1);
        counters.OnEchoed(1);
        counters.OnSent(payload.Length, operations: 0); // SignalR sends on its own
        return payload;
    }

    public Task Join(string room)
    {
        Context.Items[RoomKey] = room;
        rooms.Add(room, 1);
        return Groups.AddToGroupAsync(Context.ConnectionId, room);
    }

    public Task Say(byte[] payload)
    {
        string room = (string)Context.Items[RoomKey]!;
        counters.OnReceived(payload.Length, frames: 1);
        counters.OnDelivered(rooms.CountOf(room));
        return Clients.Group(room).SendAsync(Heard, payload);
    }
}
