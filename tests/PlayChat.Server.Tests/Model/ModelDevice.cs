using Google.Protobuf;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;

namespace PlayChat.Server.Tests.Model;

/// <summary>A device of a player: connected, away, or without a session.</summary>
internal sealed class ModelDevice(string player, string kind) : IAsyncDisposable
{
    public string Player => player;

    public TestClient? Client { get; set; }

    public TestServer? Node { get; set; }

    public ByteString Token { get; set; } = ByteString.Empty;

    public bool IsAway { get; set; }

    public bool IsConnected => Client is not null && !IsAway;

    /// <summary>The rooms that it is in, with the number of their events that it has heard, and the last sequence.</summary>
    public Dictionary<RoomModel, (int Heard, long Seen)> Rooms { get; } = [];

    /// <summary>The rooms that it was taken out of while it was away.</summary>
    public HashSet<RoomModel> Lost { get; } = [];

    /// <summary>What a packet of a room says; the room is 0 for another packet.</summary>
    public static (long RoomId, string Text, long Sequence, long Previous) Read(IMessage packet) => packet switch
    {
        SJoinRoomNtf join => (join.RoomId, $"{join.Member.Name} joins as {join.Member.Role}", join.Sequence, join.PreviousSequence),
        SRoomChatNtf { System: false } said => (said.RoomId, $"{said.PlayerName}: {said.Text}", said.Sequence, said.PreviousSequence),
        SRoomChatNtf told => (
            told.RoomId,
            $"* {told.Text}{(told.Left is { } left ? $" -{left.Name}" : "")}{(told.Changed is { } who ? $" {who.Name}={who.Role}" : "")}",
            told.Sequence,
            told.PreviousSequence),
        SMessageEditedNtf edit => (
            edit.RoomId, $"{edit.Editor.Name} edits {edit.MessageSequence}: {edit.Text}", edit.Sequence, edit.PreviousSequence),
        SReactionNtf react => (
            react.RoomId,
            $"{react.Player.Name} {(react.Removed ? "takes back" : "gives")} {react.Emoji} to {react.MessageSequence}",
            react.Sequence,
            react.PreviousSequence),
        SRoomLeftNtf left => (left.RoomId, left.Message, 0, 0),
        _ => default,
    };

    /// <summary>Hears what has happened in a room since: everything once, in the order in which every other device hears it.</summary>
    public async Task HearAsync(RoomModel room)
    {
        (int heard, long seen) = Rooms[room];
        for (; heard < room.Events.Count; heard++)
        {
            (_, string told, long sequence, long previous) =
                Read(await Client!.NextAsync<IMessage>(packet => Read(packet).RoomId == room.Id));
            // Players whose node is lost have no order among each other; the first that hears it decides.
            int other = room.Events.FindIndex(heard, next => next.Told == told);
            if (other > heard && room.Events[heard] is { Sequence: 0, IsLoose: true } && room.Events[other].IsLoose)
            {
                (room.Events[heard], room.Events[other]) = (room.Events[other], room.Events[heard]);
            }

            EventModel expected = room.Events[heard];
            told = told == expected.ToldNow ? expected.Told : told; // a device that resumes hears a message as it is now
            expected.Sequence = expected.Sequence == 0 ? sequence : expected.Sequence;
            Assert.Equal(
                $"{this} in {room.Name} after {seen}: {expected.Told} ({expected.Sequence})",
                $"{this} in {room.Name} after {previous}: {told} ({sequence})");
            Assert.True(sequence > seen, $"{sequence} is not behind {seen}.");
            seen = sequence;
        }

        Rooms[room] = (heard, seen);
    }

    public override string ToString() => $"{player}'s {kind}";

    public async ValueTask DisposeAsync()
    {
        await (Client?.DisposeAsync() ?? ValueTask.CompletedTask);
        (Client, Node, IsAway) = (null, null, false);
        Rooms.Clear();
        Lost.Clear();
    }
}
