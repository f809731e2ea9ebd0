using PlayChat.Core.Sessions;

namespace PlayChat.Generators.Tests.Game;

/// <summary>What the handlers share: a service.</summary>
internal sealed class World
{
    internal SessionRegistry Sessions { get; set; } = null!;

    internal Arena Arena { get; set; } = null!;

    internal List<string> Trace { get; } = [];
}
