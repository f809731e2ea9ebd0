using PlayChat.Core.Connections;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>What everybody is sent in random turns, beside a list for each session.</summary>
public sealed class RoomBroadcastModelTests
{
    private const string First = "first";

    [Fact]
    public async Task Random_turns_reach_everybody_as_a_list_for_each_would_say_and_who_does_not_read_loses_only_what_he_may()
    {
        for (int seed = 0; seed < 100; seed++)
        {
            // More than one slice of a flush, and once one in the middle.
            await RunAsync(new Random(seed), seed == 67 ? 300 : seed % 30 == 7 ? 200 : 8);
        }
    }

    private static async Task RunAsync(Random random, int count)
    {
        await using var harness = new StubRoomHarness(connections: static o => o.MaxOutboundBytes = 128 * 1024); // behind from 8 KB on
        Session[] sessions = [.. Enumerable.Range(0, count).Select(_ => harness.NewSession())];
        StubLink stalled = harness.LinkOf(sessions[0]);
        stalled.HoldSends = true;
        sessions[0].Connection.Send("first"u8);
        var model = new Model(sessions);
        if (count > 8)
        {
            model.Inside.AddRange(sessions.Where(_ => random.Next(8) > 0));
            await harness.InTurnAsync(room => model.Inside.ForEach(session => room.Join(session)));
        }

        for (int turn = 0; turn < 10; turn++)
        {
            await harness.InTurnAsync(room =>
            {
                for (int step = random.Next(30); step > 0; step--)
                {
                    Step(room, model, random);
                }
            });
        }

        stalled.CompleteSend();
        stalled.CompleteSend();

        Assert.All(sessions[1..], session => Assert.Equal(
            model.Of(session).Select(static frame => frame.Text).ToArray(), harness.Received(session)));
        string[] received = harness.Received(sessions[0]);
        string[] inOrder = [First, .. model.Of(sessions[0])
            .Where(frame => frame.Delivery.IsReliable
                || (frame.Delivery == Delivery.DropIfBehind && received.Contains(frame.Text, StringComparer.Ordinal)))
            .Select(static frame => frame.Text)];
        string[] newest = [.. model.Of(sessions[0])
            .Where(static frame => frame.Delivery.IsLatestOnly)
            .GroupBy(static frame => frame.Delivery.Key)
            .Select(static frames => frames.Last().Text)];
        Assert.Equal(inOrder, received[..inOrder.Length]);
        Assert.Equal(newest.Order(StringComparer.Ordinal).ToArray(), received[inOrder.Length..].Order(StringComparer.Ordinal).ToArray());
    }

    private static void Step(TestRoom room, Model model, Random random)
    {
        Session one = model.Sessions[random.Next(model.Sessions.Length)];
        Session[] some = [.. model.Sessions.Where(_ => random.Next(3) == 0)];
        Delivery delivery = random.Next(4) switch
        {
            0 => Delivery.DropIfBehind,
            1 => Delivery.LatestOnly(random.Next(4)),
            _ => Delivery.Reliable,
        };
        string text = model.NextText(random.Next(4) == 0 ? random.Next(900) : 0); // several blocks a turn
        switch (random.Next(6))
        {
            case 0:
                room.Broadcast(text, delivery);
                model.Inside.ForEach(session => model.Add(session, text, delivery));
                break;
            case 1:
                room.BroadcastExcept(one, text, delivery);
                model.Inside.FindAll(session => session != one).ForEach(session => model.Add(session, text, delivery));
                break;
            case 2:
                room.BroadcastTo(some, text, delivery);
                Array.ForEach(some, session => model.Add(session, text, delivery));
                break;
            case 3:
                Assert.True(room.Send(one, text, delivery) || delivery == Delivery.DropIfBehind);
                model.Add(one, text, delivery);
                break;
            case 4 when random.Next(3) == 0:
                room.Leave(one);
                model.Inside.Remove(one);
                break;
            case 5 when !model.Inside.Contains(one):
                room.Join(one);
                model.Inside.Add(one);
                break;
        }
    }

    private sealed class Model(Session[] sessions)
    {
        private readonly Dictionary<Session, List<(string Text, Delivery Delivery)>> _frames =
            sessions.ToDictionary(static s => s, static _ => new List<(string, Delivery)>());
        private int _last;

        internal Session[] Sessions => sessions;

        internal List<Session> Inside { get; } = [];

        internal List<(string Text, Delivery Delivery)> Of(Session session) => _frames[session];

        internal void Add(Session session, string text, Delivery delivery) => _frames[session].Add((text, delivery));

        internal string NextText(int more) => $"{++_last}:" + new string('x', more);
    }
}
