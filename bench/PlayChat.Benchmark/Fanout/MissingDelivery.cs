using System.Text.Json.Nodes;

namespace PlayChat.Benchmark.Fanout;

/// <summary>A delivery that never arrived.</summary>
/// <param name="Room">The room's index.</param>
/// <param name="Receiver">The receiver's index among the clients.</param>
/// <param name="Sender">The sender's index among the clients.</param>
/// <param name="Number">The sender's own number of the message, from 0.</param>
/// <param name="Sequence">
/// The room's sequence, as another member received it; <see langword="null"/> when no member did, or when the load has none.
/// </param>
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

    public override string ToString()
    {
        string what = Sequence is null ? "a message" : FormattableString.Invariant($"sequence {Sequence}");
        return FormattableString.Invariant(
            $"Receiver {Receiver} in room {Room} did not get {what}: number {Number} of sender {Sender}.");
    }
}
