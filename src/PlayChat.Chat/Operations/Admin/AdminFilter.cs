using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using PlayChat.Chat.Operations.Admin.Models;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Surrounds every request of the admin API: problem details for errors, and a line in the log for each change.</summary>
internal sealed class AdminFilter(ILogger<AdminFilter> logger, IHostApplicationLifetime lifetime) : IEndpointFilter
{
    public async ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        HttpContext http = context.HttpContext;
        HttpRequest request = http.Request;
        http.Response.Headers.CacheControl = "no-store";
        if (http.Response.StatusCode == StatusCodes.Status400BadRequest)
        {
            return Fail(http, 400, "A parameter of the address is invalid. The OpenAPI document lists the parameters.");
        }

        // The endpoint starts before the server, whose sessions, rooms and store are not there yet.
        if (!lifetime.ApplicationStarted.IsCancellationRequested)
        {
            return Fail(http, 503, "The server is starting. Ask again in a moment.");
        }

        // A foreign page can make a browser post a form, but no JSON and no bytes, without asking this server first.
        if ((HttpMethods.IsPost(request.Method) || HttpMethods.IsPut(request.Method)) && !request.HasJsonContentType()
            && request.ContentType != RouteDescription.FileType)
        {
            return Fail(http, 415, "Send the body as Content-Type: application/json. A request without content has the body {}.");
        }

        try
        {
            object? result = await next(context);
            if (result is JsonHttpResult<ActionResult> { Value: { } done })
            {
                Audit(http, done.Message);
            }

            return result;
        }
        catch (AdminException e)
        {
            return Fail(http, e.Status, e.Message);
        }
        catch (Exception e) when (e is StorageException or ClusterDirectoryException)
        {
            return Fail(http, 503, $"The database did not do the work, so try again later: {e.Message}");
        }
        catch (Exception e) when (!HttpMethods.IsGet(request.Method))
        {
            Audit(http, $"ended with {e.GetType().Name}; it may have taken effect");
            throw;
        }
    }

    private JsonHttpResult<Problem> Fail(HttpContext http, int status, string detail)
    {
        if (!HttpMethods.IsGet(http.Request.Method))
        {
            Audit(http, string.Create(CultureInfo.InvariantCulture, $"refused with {status}"));
        }

        string title = status switch
        {
            404 => "Not found",
            409 => "Conflict",
            415 => "Unsupported media type",
            503 => "Unavailable",
            _ => "Invalid request",
        };
        return TypedResults.Json(new Problem(title, status, detail), AdminJson.Default.Problem, "application/problem+json", status);
    }

    // The path stays escaped: a decoded one could hold line breaks, and so lines that look like the server's own.
    private void Audit(HttpContext http, string outcome) => AuditLog.AdminAction(
        logger,
        http.User.Identity?.Name is { } key ? $"The key {key}" : "An operator",
        http.Connection.RemoteIpAddress,
        http.Request.Method,
        http.Request.Path.ToUriComponent(),
        outcome);
}
