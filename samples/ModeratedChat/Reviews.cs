using System.Collections.Concurrent;
using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace ModeratedChat;

[PacketId(10_000)] internal sealed record ReadReviews;
[PacketId(10_001)] internal sealed record Reviewed(IReadOnlyList<Review> Reviews);

/// <summary>A text that a moderator should see.</summary>
internal sealed record Review(string Player, long RoomId, string Text);

/// <summary>The newest 100 texts that were not said, and our own packet that reads them. Thread-safe.</summary>
internal sealed class Reviews
{
    private readonly ConcurrentQueue<Review> _reviews = new();

    public static PacketSet Packets { get; } = new PacketSet().AddJson(ReviewJson.Default.ReadReviews).AddJson(ReviewJson.Default.Reviewed);

    public void Add(Review review)
    {
        _reviews.Enqueue(review);
        while (_reviews.Count > 100)
        {
            _reviews.TryDequeue(out _);
        }
    }

    [Packet] // moderators have names such as mod-ann
    public void Read(PacketContext context, ReadReviews request) => context.Reply(
        new Reviewed(context.Session.User!.Name.StartsWith("mod-", StringComparison.OrdinalIgnoreCase) ? [.. _reviews] : []));
}

[JsonSerializable(typeof(ReadReviews)), JsonSerializable(typeof(Reviewed))]
internal sealed partial class ReviewJson : JsonSerializerContext;
