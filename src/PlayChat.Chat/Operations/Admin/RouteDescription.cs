using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Metadata;
using PlayChat.Chat.Operations.Admin.Models;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Says what a route is for; the OpenAPI document is made from it.</summary>
internal static class RouteDescription
{
    /// <summary>The type of a body that is a file.</summary>
    public const string FileType = "application/octet-stream";

    /// <summary>Adds a summary and the types of the answers.</summary>
    /// <typeparam name="TAnswer">What a successful answer holds.</typeparam>
    public static RouteHandlerBuilder Describe<TAnswer>(
        this RouteHandlerBuilder route, string summary, string type = "application/json") => route
        .WithMetadata(new Summary(summary))
        .Produces<TAnswer>(contentType: type)
        .Produces<Problem>(StatusCodes.Status400BadRequest, "application/problem+json");

    private sealed record Summary(string Text) : IEndpointSummaryMetadata
    {
        string IEndpointSummaryMetadata.Summary => Text;
    }
}
