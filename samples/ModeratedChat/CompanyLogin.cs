using PlayChat.Authentication.Jwt;
using PlayChat.Core.Hosting;

namespace ModeratedChat;

/// <summary>The password of a login is a token of the company; its claim "name" is the player.</summary>
internal sealed class CompanyLogin(JwtAuthenticator tokens) : IChatAuthenticator
{
    public async ValueTask<ChatLoginDecision> AuthenticateAsync(ChatLogin login, CancellationToken cancellationToken)
    {
        LoginDecision decision = await tokens.IdentifyAsync(
            login.Password,
            static token => new(token.TryGetPayloadValue("name", out string name) ? new SessionUser(0, name) : null),
            cancellationToken);
        return decision.User is { } user ? ChatLoginDecision.As(user.Name) : ChatLoginDecision.Refuse(decision.Refusal!);
    }
}
