using Microsoft.Extensions.DependencyInjection;

namespace PlayChat.Core;

/// <summary>
/// The services of a server that was given none. Handlers and rooms whose constructors need no service can still be created.
/// </summary>
internal sealed class NoServices : IServiceProvider
{
    internal static readonly NoServices Instance = new();

    private NoServices()
    {
    }

    public object? GetService(Type serviceType) => serviceType == typeof(IServiceScopeFactory)
        ? throw new InvalidOperationException(
            "A handler or a room needs services, but the server has none: use AddPlayChat, or call UseServices.")
        : null;
}
