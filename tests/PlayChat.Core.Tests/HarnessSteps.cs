using System.Text;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests;

/// <summary>Steps that tests on PlayChat.Testing share.</summary>
internal static class HarnessSteps
{
    /// <summary>A harness whose server is set up further, and posts every frame to the room.</summary>
    internal static Task<RoomHarness<TRoom>> StartAsync<TRoom>(Func<RoomContext, TRoom> make, Action<PlayChatServer>? configure = null)
        where TRoom : Room
    {
        TRoom room = null!;
        return RoomHarness.StartAsync(
            context => room = make(context),
            configure: server =>
            {
                server.OnFrameAsync((connection, frame, _) => PostedAsync(room.PostFrameAsync(Session.Of(connection), in frame)));
                configure?.Invoke(server);
            });

        static async ValueTask PostedAsync(ValueTask<bool> posting) => await posting;
    }

    internal static KpiSnapshot Figures<TRoom>(this RoomHarness<TRoom> harness)
        where TRoom : Room => harness.Server.Metrics.Snapshot();

    internal static async Task<HarnessClient[]> ConnectAsync<TRoom>(this RoomHarness<TRoom> harness, int count)
        where TRoom : Room
    {
        var clients = new HarnessClient[count];
        for (int i = 0; i < count; i++)
        {
            clients[i] = await harness.ConnectAsync();
        }

        return clients;
    }

    /// <summary>Clients that are members when this returns.</summary>
    internal static async Task<HarnessClient[]> EnterAsync(this RoomHarness<TestRoom> harness, int count)
    {
        HarnessClient[] clients = await harness.ConnectAsync(count);
        await harness.InTurnAsync(room => Array.ForEach(clients, client => Assert.Equal(JoinStatus.Joined, room.Join(client.Session))));
        return clients;
    }

    /// <summary>Runs a job in the room's turn, and waits for what comes of it. What it throws is thrown here.</summary>
    internal static Task InTurnAsync<TRoom>(this RoomHarness<TRoom> harness, Action<TRoom> job)
        where TRoom : Room => harness.InTurnAsync(harness.Room, job);

    /// <summary>The same in another room of the harness.</summary>
    internal static async Task InTurnAsync<TRoom, TOther>(this RoomHarness<TRoom> harness, TOther room, Action<TOther> job)
        where TRoom : Room
        where TOther : Room
    {
        await room.RunAsync(job);
        await harness.IdleAsync();
    }

    /// <summary>Runs a job in the room's turn, and waits for it alone. What it throws is thrown here.</summary>
    internal static Task RunAsync<TRoom>(this TRoom room, Action<TRoom> job)
        where TRoom : Room => room.RequestAsync(inTurn =>
        {
            job(inTurn);
            return true;
        }).AsTask().WaitAsync(TestTimeouts.Hang);

    /// <summary>Sends a packet, and waits for what comes of it.</summary>
    internal static Task SayAsync<TRoom>(this RoomHarness<TRoom> harness, HarnessClient client, ushort packetId, string text)
        where TRoom : Room
    {
        client.Say(packetId, text);
        return harness.IdleAsync();
    }

    internal static void Say(this HarnessClient client, ushort packetId, string text) =>
        Assert.True(client.Send(Encoding.UTF8.GetBytes(text), new FrameHeader(packetId)));

    /// <summary>What a client has received, as texts.</summary>
    internal static string[] Texts(this HarnessClient client) =>
        [.. client.Frames.Select(static frame => Encoding.UTF8.GetString(frame.Body.Span))];
}
