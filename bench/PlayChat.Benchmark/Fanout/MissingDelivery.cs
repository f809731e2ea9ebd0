using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Fanout;

/// <summary>A delivery that did not come.</summary>
/// <param name="Room">The room's index.</param>
/// <param name="Receiver">Who did not get it: a client's index.</param>
/// <param name="Sender">Who had sent it.</param>
/// <param name="Number">The sender's own count, from 0.</param>
/// <param name="Sequence">The room's, which another member has told; <see langword="null"/> when nobody got it, or there is none.</param>
internal sealed record MissingDelivery(int Room, int Receiver, int Sender, int Number, long? Sequence)
{
    public JsonObject ToJson() => new()
    {
        ["room"] = Room,
        ["sequence"] = Sequence,
        ["receiver"] = Receiver,
        ["sender"] = Sender,
        ["number"] = Number,
    };

    public override string ToString() => FormattableString.Invariant(
        $"Receiver {Receiver} in room {Room} did not get {(Sequence is null ? "a message" : $"sequence {Sequence}")}: number {Number} of sender {Sender}.");
}
