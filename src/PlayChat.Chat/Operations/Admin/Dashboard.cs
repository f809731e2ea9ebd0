using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using PlayChat.Chat.Web;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>The dashboard: files of Operations/Admin/wwwroot, which are part of the program.</summary>
/// <remarks>The files hold no data and need no token. The page asks for the token and sends it with each request of the API.</remarks>
internal sealed class Dashboard : IOperationsPart
{
    public void Map(IEndpointRouteBuilder routes)
    {
        foreach ((string path, string type, byte[] body) in PageFiles.Read("dashboard/"))
        {
            routes.MapGet(path == "/index.html" ? "/" : path, (HttpContext context) =>
            {
                foreach ((string name, string value) in PageFiles.Headers)
                {
                    context.Response.Headers[name] = value;
                }

                return TypedResults.Bytes(body, type);
            }).AllowAnonymous().ExcludeFromDescription();
        }
    }
}
