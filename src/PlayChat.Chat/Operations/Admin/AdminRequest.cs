using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Http;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Reads the body of a request.</summary>
internal static class AdminRequest
{
    /// <summary>Reads the body as JSON.</summary>
    /// <exception cref="AdminException">It is no JSON of this kind, or has an unknown member.</exception>
    public static async Task<TBody> ReadAsync<TBody>(HttpRequest request, JsonTypeInfo<TBody> type)
        where TBody : class
    {
        try
        {
            return await JsonSerializer.DeserializeAsync(request.Body, type, request.HttpContext.RequestAborted)
                ?? throw AdminException.Invalid("The body is null. Send an object.");
        }
        catch (JsonException e)
        {
            throw AdminException.Invalid($"The body is not the expected JSON, which the OpenAPI document describes: {e.Message}");
        }
    }
}
