namespace ModeratedChat;

/// <summary>The password of a login is a token of the company; its claim "name" is the player. The session ends with the token.</summary>
internal sealed class CompanyLogin(JwtAuthenticator tokens) : IChatAuthenticator
{
    public async ValueTask<ChatLoginDecision> AuthenticateAsync(ChatLogin login, CancellationToken cancellationToken) =>
        ChatLoginDecision.From(await tokens.IdentifyAsync(
            login.Password,
            static token => new(token.TryGetPayloadValue("name", out string name) ? new SessionUser(0, name) : null),
            cancellationToken));
}
