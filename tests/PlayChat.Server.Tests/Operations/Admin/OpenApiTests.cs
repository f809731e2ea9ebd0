using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.OpenApi;
using Microsoft.OpenApi.Extensions;
using Microsoft.OpenApi.Models;
using PlayChat.Chat.Operations;
using PlayChat.Chat.Operations.Admin;
using PlayChat.TestUtilities;
using Swashbuckle.AspNetCore.Swagger;

namespace PlayChat.Server.Tests.Operations.Admin;

/// <summary>The committed OpenAPI document, which lists every route of the API.</summary>
public sealed class OpenApiTests
{
    private const string UpdateVariable = "PLAYCHAT_UPDATE_GENERATED";

    [Fact]
    public async Task The_document_is_what_the_routes_say()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        string expected = await GenerateAsync(admin);
        string path = Repository.PathOf("docs/reference/admin-api.openapi.json");
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            await File.WriteAllTextAsync(path, expected);
        }

        string current = (await File.ReadAllTextAsync(path)).ReplaceLineEndings("\n");

        Assert.True(
            current == expected,
            $"docs/reference/admin-api.openapi.json differs from the routes. Run this and commit the file:\n"
                + $"{UpdateVariable}=1 dotnet test tests/PlayChat.Server.Tests --filter {nameof(OpenApiTests)}");
    }

    [Fact]
    public async Task Every_route_of_the_document_is_refused_without_the_token()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        JsonElement document = await admin.GetAsync("/openapi.json");
        admin.Http.DefaultRequestHeaders.Authorization = null;
        int routes = 0;

        foreach (JsonProperty path in document.GetProperty("paths").EnumerateObject())
        {
            foreach (JsonProperty verb in path.Value.EnumerateObject())
            {
                string address = path.Name.Replace("{id}", "1", StringComparison.Ordinal)
                    .Replace("{name}", "Kim", StringComparison.Ordinal)
                    .Replace("{file}", "table.pcr", StringComparison.Ordinal)
                    .Replace("{key}", "Mode", StringComparison.Ordinal);
                using var request = new HttpRequestMessage(HttpMethod.Parse(verb.Name), OperationsServer.Path(address));
                using HttpResponseMessage response = await admin.Http.SendAsync(request).WaitAsync(TestTimeouts.Hang);

                Assert.True(response.StatusCode == HttpStatusCode.Unauthorized, $"{verb.Name} {address}: {response.StatusCode}");
                routes++;
            }
        }

        Assert.True(routes >= 20, $"The document has {routes} routes.");
        Assert.False(admin.Server.Lifetime.ApplicationStopping.IsCancellationRequested);
    }

    private static async Task<string> GenerateAsync(AdminServer admin)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddEndpointsApiExplorer().AddSwaggerGen(static options =>
        {
            options.SwaggerDoc("v1", new OpenApiInfo { Title = "PlayChat admin API", Version = "v1" });
            options.SupportNonNullableReferenceTypes();
            options.CustomSchemaIds(static type => type.IsGenericType
                ? type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)] + "Of" + type.GetGenericArguments()[0].Name
                : type.Name);
            options.AddSecurityDefinition("token", new OpenApiSecurityScheme { Type = SecuritySchemeType.Http, Scheme = "bearer" });
            options.AddSecurityRequirement(new OpenApiSecurityRequirement
            {
                [new OpenApiSecurityScheme { Reference = new OpenApiReference { Type = ReferenceType.SecurityScheme, Id = "token" } }] = [],
            });
        });
        await using WebApplication application = builder.Build();
        foreach (IOperationsPart part in admin.Server.Get<IEnumerable<IOperationsPart>>().Where(static part => part is AdminApi))
        {
            part.Map(application);
        }

        await application.StartAsync().WaitAsync(TestTimeouts.Hang); // routes are known when it has started
        OpenApiDocument document = application.Services.GetRequiredService<ISwaggerProvider>().GetSwagger("v1");
        document.Servers.Clear();
        return document.SerializeAsJson(OpenApiSpecVersion.OpenApi3_0).ReplaceLineEndings("\n") + "\n";
    }
}
