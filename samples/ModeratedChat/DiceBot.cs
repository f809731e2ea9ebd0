using System.Security.Cryptography;

namespace ModeratedChat;

/// <summary>Makes "/roll" what the dice say.</summary>
internal sealed class DiceBot : IChatRules
{
    public ValueTask<ChatTextDecision> ReadTextAsync(SessionUser player, long roomId, string text, CancellationToken cancellationToken) =>
        new(text == "/roll" ? ChatTextDecision.Replace($"🎲 {RandomNumberGenerator.GetInt32(1, 7)}") : ChatTextDecision.Keep);
}
