using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace PlayChat.Chat.Operations;

/// <summary><c>/healthz/live</c> and <c>/healthz/ready</c>, for supervisors and load balancers.</summary>
/// <remarks>They need no token and tell no secrets.</remarks>
internal sealed class HealthPart(HealthCheckService checks) : IOperationsPart
{
    public void Map(IEndpointRouteBuilder routes)
    {
        // The answer itself shows that the process lives.
        routes.MapGet("/healthz/live", static (HttpContext context) => context.Response.WriteAsync("The server is running.\n"))
            .AllowAnonymous();
        routes.MapGet("/healthz/ready", AnswerReadyAsync).AllowAnonymous();
    }

    private async Task AnswerReadyAsync(HttpContext context)
    {
        HealthReport report = await checks.CheckHealthAsync(context.RequestAborted);
        context.Response.StatusCode =
            report.Status == HealthStatus.Healthy ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        context.Response.Headers.CacheControl = "no-store";
        await context.Response.WriteAsync(
            string.Concat(report.Entries.Values.Select(static entry => entry.Description + "\n")), context.RequestAborted);
    }
}
