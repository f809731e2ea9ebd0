using System.Collections;
using Microsoft.Extensions.Configuration;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Diagnostics;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Configuration;

/// <summary>Where the log goes: by default, by the file, and by what replaces a part of it.</summary>
public sealed class LogSectionTests : IDisposable
{
    private const string OwnFile = """{ "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "path": "own.log" } } ] } }""";

    private readonly TemporaryDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("{}")]
    [InlineData("""{ "Serilog": {} }""")]
    [InlineData("""{ "Serilog": { "MinimumLevel": "Information" } }""")]
    public void A_file_without_sinks_has_the_log_of_the_shipped_file(string content)
    {
        Assert.Equal(Log(Load(ServerConfiguration.SettingsFile)), Log(Load(Write(content))));
    }

    [Fact]
    public void Without_any_file_there_is_the_log_of_the_shipped_file()
    {
        Assert.Equal(Log(Load(ServerConfiguration.SettingsFile)), Log(Load(_folder.Combine("none.json"))));
    }

    [Fact]
    public void Sinks_of_the_file_take_the_place_of_the_default_ones()
    {
        Assert.Equal(
            ["Serilog:WriteTo:0:Args:path=own.log", "Serilog:WriteTo:0:Name=File"],
            Log(Load(Write(OwnFile))).Where(static entry => entry.Contains("WriteTo", StringComparison.Ordinal)),
            StringComparer.Ordinal);
    }

    [Fact]
    public void An_empty_list_of_sinks_means_none()
    {
        Assert.DoesNotContain(
            Log(Load(Write("""{ "Serilog": { "WriteTo": [] } }"""))), static entry => entry.Contains("Name", StringComparison.Ordinal));
    }

    [Fact]
    public void A_variable_with_the_prefix_replaces_the_sink_of_one_without()
    {
        ConfigurationManager configuration = Load(_folder.Combine("none.json"), [], new Hashtable
        {
            ["Serilog__WriteTo__0__Name"] = "File",
            ["Serilog__WriteTo__0__Args__path"] = "old.log",
            ["PLAYCHAT_Serilog__WriteTo__0__Name"] = "Console",
        });

        Assert.Equal("Console", configuration["Serilog:WriteTo:0:Name"]);
        Assert.Empty(LogFiles.Paths(configuration));
    }

    [Fact]
    public void A_sink_that_the_environment_replaces_leaves_nothing_behind()
    {
        IConfiguration replaced = Load(
            _folder.Combine("none.json"), [], new Hashtable { ["PLAYCHAT_Serilog__WriteTo__0__Name"] = "Console" });
        IConfiguration inside = Load(_folder.Combine("none.json"), ["--Serilog:WriteTo:0:Args:configure:1:Name=Console"]);

        Assert.Equal(
            ["Serilog:WriteTo:0:Name=Console"],
            Log(replaced).Where(static entry => entry.Contains("WriteTo", StringComparison.Ordinal)),
            StringComparer.Ordinal);
        Assert.Empty(LogFiles.Paths(replaced)); // neither checked, nor made, nor printed
        Assert.Empty(LogFiles.Paths(inside));
    }

    [Fact]
    public void An_argument_of_a_default_sink_can_be_changed_alone()
    {
        ConfigurationManager changed = Load(
            Write("{}"), ["--Serilog:WriteTo:0:Args:configure:1:Args:path=other.log", "--Serilog:WriteTo:0:Name=Async"]);

        Assert.Equal("Console", changed["Serilog:WriteTo:0:Args:configure:0:Name"]);
        Assert.Equal("other.log", changed["Serilog:WriteTo:0:Args:configure:1:Args:path"]);
        Assert.Equal("Day", changed["Serilog:WriteTo:0:Args:configure:1:Args:rollingInterval"]);
    }

    [Theory]
    [InlineData(
        """{ "WriteTo": [ { "Name": "Consle" } ] }""",
        "Serilog:WriteTo:0:Name is 'Consle', which is no sink of this server; did you mean Console?")]
    [InlineData(
        """{ "WriteTo": [ "Seq" ] }""",
        "Serilog:WriteTo:0 is 'Seq', which is no sink of this server; allowed is Async, Console, File, Logger, Sink.")]
    [InlineData(
        """{ "WriteTo": { "Own": { "Name": "Fil" } } }""",
        "Serilog:WriteTo:Own:Name is 'Fil', which is no sink of this server; did you mean File?")]
    [InlineData(
        """{ "WriteTo": [ { "Name": "Async", "Args": { "configure": [ { "Name": "Fle" } ] } } ] }""",
        "Serilog:WriteTo:0:Args:configure:0:Name is 'Fle', which is no sink of this server; did you mean File?")]
    [InlineData(
        """{ "WriteTo": [ { "Name": "Console", "Args": { "ouputTemplate": "x" } } ] }""",
        "There is no key Serilog:WriteTo:0:Args:ouputTemplate of the sink Console; did you mean outputTemplate?")]
    [InlineData(
        """{ "WriteTo": [ { "Args": { "path": "x" } } ] }""",
        "Serilog:WriteTo:0 has no Name; allowed is Async, Console, File, Logger, Sink.")]
    [InlineData(
        """{ "WriteTo": [ { "Name": "file", "Args": { "path": "x" } } ] }""",
        "Serilog:WriteTo:0:Name is 'file', which is no sink of this server; did you mean File?")]
    [InlineData("""{ "WriteTo": [ "File" ] }""", "Serilog:WriteTo:0:Args:path is missing; the sink File needs it.")]
    [InlineData("""{ "WriteToo": [ { "Name": "Console" } ] }""", "There is no key Serilog:WriteToo; did you mean Serilog:WriteTo?")]
    [InlineData(
        """{ "Enrich": [ "FromLogContext", "WithMachineName" ] }""",
        "Serilog:Enrich:1 is 'WithMachineName', which is no enricher of this server; allowed is FromLogContext, With, AtLevel.")]
    [InlineData(
        """{ "Filter": [ { "Name": "ByExcluding", "Args": { "expression": "x" } } ] }""",
        "Serilog:Filter:0:Name is 'ByExcluding', which is no filter of this server; allowed is With.")]
    public void What_Serilog_would_ignore_is_named(string section, string expected)
    {
        string file = Write($$"""{ "Serilog": {{section}} }""");

        Assert.Equal(expected, Assert.Throws<StartException>(() => Load(file)).Message);
    }

    [Theory]
    [InlineData("""{ "WriteTo": [ "Console" ], "Enrich": [ "FromLogContext" ], "Properties": { "Name": "x" } }""")]
    [InlineData("""{ "Using": [ "x" ], "WriteTo": { "A": "Console", "B": { "name": "File", "args": { "PATH": "x" } } } }""")]
    [InlineData(
        """{ "AuditTo": [ { "Name": "File", "Args": { "path": "audit" } } ], "MinimumLevel": { "Override": { "System": "Error" } } }""")]
    [InlineData(
        """
        { "WriteTo": [ { "Name": "Logger", "Args": { "configureLogger": { "WriteTo": [ "Console" ] } } } ] }
        """)]
    public void Every_form_of_Serilog_is_accepted(string section)
    {
        string file = Write($$"""{ "Serilog": {{section}} }""");

        Assert.NotEmpty(Log(Load(file)));
    }

    private static string[] Log(IConfiguration configuration) =>
    [
        .. configuration.GetSection(SettingsCatalog.SerilogSection).AsEnumerable()
            .Where(static entry => entry.Value is not null)
            .Select(static entry => $"{entry.Key}={entry.Value}")
            .Order(StringComparer.Ordinal),
    ];

    private static ConfigurationManager Load(string file, string[]? args = null, IDictionary? environment = null)
    {
        var configuration = new ConfigurationManager();
        ServerConfiguration.Load(configuration, CommandLine.Parse(args ?? []), file, environment ?? new Hashtable());
        return configuration;
    }

    private string Write(string content)
    {
        string file = _folder.Combine("settings.json");
        File.WriteAllText(file, content);
        return file;
    }
}
