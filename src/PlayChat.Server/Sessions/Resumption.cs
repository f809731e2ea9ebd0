using Google.Protobuf;
using PlayChat.Core.Sessions;

namespace PlayChat.Server.Sessions;

/// <summary>The result of a resume.</summary>
/// <param name="Presence">Who.</param>
/// <param name="Older">The session it was on, when that has not ended yet: to be closed.</param>
/// <param name="Token">For the next time.</param>
internal sealed record Resumption(Presence Presence, Session? Older, ByteString Token);
