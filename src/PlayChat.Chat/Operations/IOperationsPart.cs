using Microsoft.AspNetCore.Routing;

namespace PlayChat.Chat.Operations;

/// <summary>A part of the operations endpoint, such as the metrics. The endpoint asks every registered part once, when it starts.</summary>
internal interface IOperationsPart
{
    /// <summary>Adds the routes of this part.</summary>
    /// <param name="routes">
    /// The endpoint's routes. A request needs the token, if there is one, except where a route has <c>AllowAnonymous()</c>.
    /// </param>
    void Map(IEndpointRouteBuilder routes);
}
