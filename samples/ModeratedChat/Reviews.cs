using System.Collections.Concurrent;
using System.Text.Json.Serialization;
using PlayChat.Core.Packets;

namespace ModeratedChat;

[PacketId(10_000)] internal sealed record ReadReviews(string? Token);
[PacketId(10_001)] internal sealed record Reviewed(IReadOnlyList<Review> Reviews);

/// <summary>A text that a moderator should see.</summary>
internal sealed record Review(string Player, long RoomId, string Text);

/// <summary>The newest 100 texts that were not said, and our own packet that reads them. Thread-safe.</summary>
internal sealed class Reviews(JwtAuthenticator? tokens = null)
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

    [Packet]
    public async ValueTask ReadAsync(PacketContext context, ReadReviews request, CancellationToken cancellationToken) =>
        context.Reply(new Reviewed(await IsOfModeratorAsync(request.Token, cancellationToken) ? [.. _reviews] : []));

    // A name proves nothing, because anyone may register one. The company says in its token who moderates.
    private async ValueTask<bool> IsOfModeratorAsync(string? token, CancellationToken cancellationToken) =>
        tokens is not null && (await tokens.IdentifyAsync(
            token,
            static valid => new(valid.TryGetPayloadValue("moderator", out bool isOne) && isOne ? new SessionUser(0, valid.Subject) : null),
            cancellationToken)).User is not null;
}

[JsonSerializable(typeof(ReadReviews)), JsonSerializable(typeof(Reviewed))]
internal sealed partial class ReviewJson : JsonSerializerContext;
