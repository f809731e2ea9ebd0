using System.Globalization;
using System.Reflection;
using Microsoft.Extensions.Configuration;
using PlayChat.Core.Hosting;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Tests.Hosting;

public sealed class OptionsBinderTests
{
    [Fact]
    public void Every_setting_can_be_configured()
    {
        var defaults = new PlayChatOptions();
        defaults.Endpoints.Add(new EndpointOptions());
        defaults.Endpoints[0].Tls.Certificates.Add(new CertificateOptions());
        var configured = new PlayChatOptions();
        Dictionary<string, string?> settings = new(StringComparer.Ordinal);
        Visit(defaults, "PlayChat", (owner, property, path) => settings[path] = Other(property.GetValue(owner), property.PropertyType));

        OptionsBinder.Bind(new ConfigurationBuilder().AddInMemoryCollection(settings).Build().GetSection("PlayChat"), configured);

        Assert.True(settings.Count > 20);
        Visit(configured, "PlayChat", (owner, property, path) =>
            Assert.True(
                settings[path] == Convert.ToString(property.GetValue(owner), CultureInfo.InvariantCulture), $"{path} was not read."));
    }

    [Fact]
    public void What_is_not_configured_keeps_its_default()
    {
        var options = new PlayChatOptions();

        OptionsBinder.Bind(
            new ConfigurationBuilder().AddInMemoryCollection([new("PlayChat:Endpoints:0:Tls:MaxHandshakes", "5")])
                .Build().GetSection("PlayChat"), options);

        EndpointOptions endpoint = Assert.Single(options.Endpoints);
        Assert.Equal(new EndpointOptions().Address, endpoint.Address);
        Assert.Equal((5, new TlsOptions().HandshakeTimeout), (endpoint.Tls.MaxHandshakes, endpoint.Tls.HandshakeTimeout));
        Assert.Equal(new PlayChatOptions().StopTimeout, options.StopTimeout);
    }

    [Theory]
    [InlineData("PlayChat:StopTimeout")]
    [InlineData("PlayChat:Rooms:QueueItems")]
    [InlineData("PlayChat:Connections:SlowConsumer")]
    [InlineData("PlayChat:Endpoints:0:Tls:HandshakeTimeout")]
    public void A_value_of_another_kind_is_named_with_its_key(string key)
    {
        IConfigurationRoot configuration = new ConfigurationBuilder().AddInMemoryCollection([new(key, "soon")]).Build();

        OptionsException e = Assert.Throws<OptionsException>(() =>
            OptionsBinder.Bind(configuration.GetSection("PlayChat"), new PlayChatOptions()));

        Assert.Contains($"'{key}'", e.Message, StringComparison.Ordinal);
        Assert.Contains("'soon'", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("PlayChat:Sessions:IdleTimeot", "PlayChat:Sessions:IdleTimeout")]
    [InlineData("PlayChat:StopTimout", "PlayChat:StopTimeout")]
    [InlineData("PlayChat:Endpoints:2:Adress", "PlayChat:Endpoints:2:Address")]
    [InlineData("PlayChat:Endpoints:1:WebSocket:AllowedOrigin", "PlayChat:Endpoints:1:WebSocket:AllowedOrigins")]
    [InlineData("PlayChat:Endpoints:1:Tls:Certificates:3:KeyPaht", "PlayChat:Endpoints:1:Tls:Certificates:3:KeyPath")]
    public void A_misspelled_key_is_named_with_the_one_that_was_meant(string key, string meant)
    {
        OptionsException e = Assert.Throws<OptionsException>(() => Bind((key, "1")));

        Assert.Equal($"There is no key {key}; did you mean {meant}?", e.Message);
    }

    [Fact]
    public void Every_key_that_no_option_has_is_named()
    {
        OptionsException e = Assert.Throws<OptionsException>(
            () => Bind(("PlayChat:Dragons:Colour", "red"), ("PlayChat:Rooms:QueueItem", "5"), ("Game:Level", "7")));

        Assert.Equal(
            [
                "There is no key PlayChat:Dragons:Colour; docs/reference/limits.md lists all.",
                "There is no key PlayChat:Rooms:QueueItem; did you mean PlayChat:Rooms:QueueItems?",
            ],
            e.Problems);
    }

    [Fact]
    public void Keys_in_any_case_and_empty_sections_are_fine()
    {
        PlayChatOptions options = Bind(
            ("PlayChat:rooms:QUEUEITEMS", "5"), ("PlayChat:Connections", null), ("PlayChat:Endpoints", ""));

        Assert.Equal(5, options.Rooms.QueueItems);
    }

    private static PlayChatOptions Bind(params (string Key, string? Value)[] settings)
    {
        var options = new PlayChatOptions();
        IConfigurationRoot configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(settings.Select(static setting => KeyValuePair.Create(setting.Key, setting.Value)))
            .Build();
        OptionsBinder.Bind(configuration.GetSection("PlayChat"), options);
        return options;
    }

    private static void Visit(object options, string path, Action<object, PropertyInfo, string> visit)
    {
        foreach (PropertyInfo property in options.GetType().GetProperties())
        {
            string key = $"{path}:{property.Name}";
            if (property.Name is nameof(TlsOptions.Certificate) or nameof(WebSocketOptions.Content))
            {
                continue; // only in memory
            }

            if (property.GetValue(options) is IList<EndpointOptions> endpoints)
            {
                Visit(Assert.Single(endpoints), $"{key}:0", visit);
            }
            else if (property.GetValue(options) is IList<CertificateOptions> certificates)
            {
                Visit(Assert.Single(certificates), $"{key}:0", visit);
            }
            else if (property.PropertyType.Namespace!.StartsWith("PlayChat", StringComparison.Ordinal) && property.PropertyType.IsClass)
            {
                Visit(property.GetValue(options)!, key, visit);
            }
            else
            {
                visit(options, property, key);
            }
        }
    }

    /// <summary>A value of the same kind that is not the default.</summary>
    private static string Other(object? value, Type type) => (Nullable.GetUnderlyingType(type) ?? type) switch
    {
        { IsEnum: true } kind => Enum.GetNames(kind).First(name => name != value?.ToString()),
        var kind when kind == typeof(string) => $"{value}x",
        var kind when kind == typeof(bool) => (value is not true).ToString(),
        var kind when kind == typeof(TimeSpan) => ((value as TimeSpan? ?? TimeSpan.Zero) + TimeSpan.FromSeconds(3)).ToString(),
        _ => Convert.ToString(Convert.ToInt64(value, CultureInfo.InvariantCulture) + 3, CultureInfo.InvariantCulture)!,
    };
}
