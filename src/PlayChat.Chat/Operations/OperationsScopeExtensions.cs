using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace PlayChat.Chat.Operations;

/// <summary>Gives routes their <see cref="OperationsScope"/>.</summary>
internal static class OperationsScopeExtensions
{
    /// <summary>Makes a group whose routes need <c>AREA.read</c> for GET, and <c>AREA.write</c> for what changes something.</summary>
    public static RouteGroupBuilder MapArea(this IEndpointRouteBuilder routes, string area)
    {
        RouteGroupBuilder group = routes.MapGroup("");
        ((IEndpointConventionBuilder)group).Add(endpoint =>
        {
            bool isRead = endpoint.Metadata.OfType<HttpMethodMetadata>().Any(static methods => methods.HttpMethods.All(HttpMethods.IsGet));
            endpoint.Metadata.Add(new OperationsScope($"{area}.{(isRead ? "read" : "write")}"));
        });
        return group;
    }

    /// <summary>Lets a route need another scope than its group, or the operator's token alone.</summary>
    public static TBuilder Needs<TBuilder>(this TBuilder route, string? scope)
        where TBuilder : IEndpointConventionBuilder => route.WithMetadata(new OperationsScope(scope));
}
