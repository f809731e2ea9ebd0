using System.Collections;
using Microsoft.Extensions.Configuration;
using PlayChat.Chat.Configuration;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Configuration;

public sealed class SettingsTests
{
    private static readonly string s_settingsFile = Path.Combine(AppContext.BaseDirectory, "appsettings.json");

    [Fact]
    public void The_settings_file_has_every_key_with_its_default_and_no_other()
    {
        IConfigurationRoot file = new ConfigurationBuilder().AddJsonFile(s_settingsFile).Build();
        Dictionary<string, string> written = file.AsEnumerable()
            .Where(entry => entry.Value is not null && !SettingsCatalog.IsSerilog(entry.Key))
            .ToDictionary(entry => entry.Key, entry => entry.Value!, StringComparer.Ordinal);

        Assert.Equal(
            SettingsCatalog.All.Select(setting => setting.Key).Order(StringComparer.Ordinal),
            written.Keys.Order(StringComparer.Ordinal));
        Assert.All(SettingsCatalog.All, setting => Assert.Equal(setting.Default, written[setting.Key], ignoreCase: true));
    }

    [Fact]
    public void Help_lists_every_key_with_default_and_range()
    {
        string help = HelpText.Create();

        Assert.All(SettingsCatalog.All, setting =>
        {
            Assert.Contains($"  {setting.Key} = ", help, StringComparison.Ordinal);
            Assert.Contains($"Allowed: {setting.Allowed}.", help, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void Every_default_is_allowed()
    {
        Assert.All(SettingsCatalog.All, setting => Assert.Null(setting.FindProblem(setting.Key, setting.Default)));
    }

    [Fact]
    public void The_defaults_are_those_of_the_framework_but_for_those_that_suit_a_chat()
    {
        var configured = new PlayChatOptions();
        new ConfigurationBuilder().AddJsonFile(s_settingsFile).Build().GetSection("PlayChat").Bind(configured);
        var expected = new PlayChatOptions();
        expected.ListenTcp("127.0.0.1:7777").Tls = configured.Endpoints[0].Tls;
        (expected.Sessions.LoginTimeout, expected.Sessions.ResumeWindow) = (TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(30));
        expected.Sessions.MaxPerUser = 5;
        (expected.Connections.BytesPerSecond, expected.Connections.FramesPerSecond) = (262_144, 500);
        (expected.Rooms.MaxMembers, expected.Rooms.MaxRoomsPerSession) = (100, 100);

        Assert.Equivalent(expected, configured, strict: true);
    }

    [Fact]
    public void A_server_without_a_settings_file_has_the_same_defaults()
    {
        (ServerSettings settings, IConfiguration configuration) = Load([], Path.Combine("nowhere", "appsettings.json"));
        var read = Setting.Of(settings).ToDictionary(
            static setting => setting.Key, static setting => setting.Default, StringComparer.Ordinal);

        Assert.All(SettingsCatalog.All, setting =>
        {
            Assert.Equal(setting.Default, configuration[setting.Key]);
            Assert.Equal(setting.Default, read[setting.Key]);
        });
    }

    [Theory]
    [InlineData("Rooms:MaxRooms", "0", "Rooms:MaxRooms is '0'; allowed is 1 to 1000000.")]
    [InlineData("Rooms:MaxRooms", "many", "Rooms:MaxRooms is 'many'; allowed is 1 to 1000000.")]
    [InlineData(
        "PlayChat:Rooms:MaxMembers",
        "5001",
        "PlayChat:Rooms:MaxMembers is '5001'; in chat mode allowed is 1 to 5000, because a larger list of members does not fit into a "
            + "frame.")]
    [InlineData("Mode", "ecko", "Mode is 'ecko'; allowed is chat, echo, broadcast, classroom.")]
    [InlineData("Kpi:Interval", "5", "Kpi:Interval is '5'; allowed is 00:00:00.1 to 1.00:00:00.")]
    [InlineData(
        "PlayChat:Sessions:LoginTimeout",
        "00:00:00",
        "PlayChat:Sessions:LoginTimeout is '00:00:00'; allowed is 00:00:01 to 01:00:00, or -00:00:00.001 for none.")]
    [InlineData("Transport", "iocp", "Transport is 'iocp'; allowed is sockets, linux.")]
    [InlineData("Accounts:AutoRegister", "yes", "Accounts:AutoRegister is 'yes'; allowed is true, false.")]
    [InlineData("ChatLog:FullPolicy", "Drop", "ChatLog:FullPolicy is 'Drop'; allowed is Count, Wait.")]
    [InlineData("Storage:Path", " ", "Storage:Path is ' '; allowed is a file.")]
    [InlineData("Storage:Provider", "Oracle", "Storage:Provider is 'Oracle'; allowed is Sqlite, SqlServer, Postgres.")]
    public void A_bad_value_is_named_with_its_key_and_range(string key, string value, string expected)
    {
        StartException problem = Assert.Throws<StartException>(() => Load([$"--{key}={value}"]));

        Assert.Equal(expected, problem.Message);
    }

    [Fact]
    public void The_transport_has_short_options()
    {
        (ServerSettings native, _) = Load(["--transport", "linux"]);
        (ServerSettings inline, _) = Load(["--inline", "--port", "0"]);
        (ServerSettings plain, _) = Load(["--inline=false"]);

        Assert.Equal((ServerTransport.Linux, false), (native.Transport, native.InlineCompletions));
        Assert.Equal((ServerTransport.Sockets, true), (inline.Transport, inline.InlineCompletions));
        Assert.Equal((ServerTransport.Sockets, false), (plain.Transport, plain.InlineCompletions));
    }

    [Fact]
    public void Inline_completions_of_a_transport_that_has_none_are_refused_in_one_sentence()
    {
        StartException problem = Assert.Throws<StartException>(() => Load(["--transport=linux", "--inline"]));

        Assert.Equal(
            "--inline is for --transport sockets: with --transport linux everything is handled on the event loops anyway.",
            problem.Message);
    }

    [Theory]
    [InlineData("There is no option --prot; did you mean --port? --help lists all.", "--prot", "1")]
    [InlineData("There is no option --Rooms:MaxRoom; did you mean --Rooms:MaxRooms? --help lists all.", "--Rooms:MaxRoom=5")]
    [InlineData(
        "There is no option --Sessions:BytesPerSecond; did you mean --PlayChat:Connections:BytesPerSecond? --help lists all.",
        "--Sessions:BytesPerSecond=5")]
    [InlineData("There is no option --frobnicate; --help lists all.", "--frobnicate")]
    [InlineData(
        "'7777' is neither a command nor an option. Commands come first: accounts, bans, admin, keys or check-config. Options begin "
            + "with --, and --help lists them.",
        "7777")]
    [InlineData("--mode needs a value: --mode VALUE.", "--mode", "--port=1")]
    [InlineData("--port is '70000'; allowed is 0 to 65535, where 0 takes a free port.", "--port", "70000")]
    public void A_mistyped_option_is_answered_in_one_line(string expected, params string[] args)
    {
        StartException problem = Assert.Throws<StartException>(() => CommandLine.Parse(args));

        Assert.Equal(expected, problem.Message);
        Assert.True(problem.IsBadArgument);
    }

    [Fact]
    public void The_command_line_names_another_configuration_file()
    {
        using var directory = new TemporaryDirectory();
        string file = directory.Combine("other.json");
        File.WriteAllText(file, """{ "Rooms": { "MaxRooms": 11 } }""");

        (ServerSettings settings, _) = Load(["--config", file]);
        StartException problem = Assert.Throws<StartException>(() => CommandLine.Parse(["--config", file + "x"]));

        Assert.Equal(11, settings.Rooms.MaxRooms);
        Assert.Equal($"--config is '{file}x', but there is no such file.", problem.Message);
    }

    [Theory]
    [InlineData("""{ "Rooms": { "MaxRooms": 0 } }""", false)]
    [InlineData("""{ "PlayChat": { "Rooms": { "MaxMembers": 5001 } } }""", false)]
    [InlineData("{}", true, "--PlayChat:Rooms:MaxMembers=5001")]
    [InlineData("""{ "Rooms": { "HistoryOnJoin": -1 } }""", true, "--Rooms:MaxRooms=0")]
    [InlineData("{}", true, "--rooms:maxrooms=0")]
    public void A_bad_value_is_a_bad_argument_where_the_command_line_has_it(string content, bool expected, params string[] args)
    {
        using var directory = new TemporaryDirectory();
        string file = directory.Combine("appsettings.json");
        File.WriteAllText(file, content);

        Assert.Equal(expected, Assert.Throws<StartException>(() => Load(args, file)).IsBadArgument);
    }

    [Fact]
    public void The_command_line_wins_over_the_environment_and_that_over_the_file()
    {
        using var directory = new TemporaryDirectory();
        string file = directory.Combine("appsettings.json");
        File.WriteAllText(
            file,
            """
            {
              "PlayChat": { "Rooms": { "MaxMembers": 11 } },
              "Rooms": { "MaxRooms": 12, "RecentMessageIds": 13 },
              "Broadcast": { "Rooms": 14 }
            }
            """);
        var environment = new Hashtable
        {
            ["PLAYCHAT_Rooms__MaxRooms"] = "22",
            ["Rooms__MaxRooms"] = "21",
            ["Rooms__RecentMessageIds"] = "23",
            ["PlayChat__Endpoints__0__Address"] = "127.0.0.1:5000",
            ["MODE"] = "somebody else's",
            ["PLAYCHAT_SOMETHING"] = "somebody else's",
        };

        (ServerSettings settings, IConfiguration configuration) = Load(
            ["--Rooms:RecentMessageIds", "33", "--rooms", "34"], file, environment);

        Assert.Equal(
            (11, 22, 33, 34),
            (settings.PlayChat.Rooms.MaxMembers, settings.Rooms.MaxRooms, settings.Rooms.RecentMessageIds, settings.Broadcast.Rooms));
        Assert.Equal("127.0.0.1:5000", configuration[SettingsCatalog.AddressKey]);
        Assert.Equal(ServerMode.Chat, settings.Mode);
    }

    [Fact]
    public void A_mistyped_variable_with_the_prefix_is_named()
    {
        StartException problem = Assert.Throws<StartException>(
            () => Load([], s_settingsFile, new Hashtable { ["PLAYCHAT_Rooms__MaxRoom"] = "5" }));

        Assert.Equal(
            "The environment sets PLAYCHAT_Rooms__MaxRoom, but there is no key Rooms:MaxRoom; did you mean PLAYCHAT_Rooms__MaxRooms?",
            problem.Message);
    }

    [Theory]
    [InlineData("PLAYCHAT_WEB_PORT", "tcp://10.0.0.1:80")]
    [InlineData("PLAYCHAT_WEB_PORT", "tcp://[fd00::1]:80")]
    [InlineData("PLAYCHAT_WEB_PORT", "udp://10.0.0.1:80")]
    [InlineData("PLAYCHAT_WEB_PORT_80_TCP", "tcp://10.0.0.1:80")]
    [InlineData("PLAYCHAT_WEB_PORT_80_TCP_PORT", "80")]
    [InlineData("PLAYCHAT_WEB_PORT_80_TCP_ADDR", "10.0.0.1")]
    [InlineData("PLAYCHAT_WEB_PORT_80_TCP_PROTO", "tcp")]
    [InlineData("PLAYCHAT_WEB_SERVICE_HOST", "10.0.0.1")]
    [InlineData("PLAYCHAT_WEB_SERVICE_PORT", "80")]
    [InlineData("PLAYCHAT_WEB_SERVICE_PORT_WEB", "80")]
    [InlineData("PLAYCHAT_RABBITMQ_SERVICE_HOST", "10.0.0.1")]
    [InlineData("PLAYCHAT_KPI_TABLE_SERVICE_HOST", "10.0.0.1")]
    [InlineData("PLAYCHAT_MODE_PORT", "tcp://10.0.0.1:80")]
    [InlineData("PLAYCHAT_PORT", "tcp://10.0.0.1:80")]
    public void Variables_that_Kubernetes_and_container_links_make_of_a_service_beside_ours_are_ignored(string name, string value)
    {
        (ServerSettings settings, _) = Load([], s_settingsFile, new Hashtable { [name] = value });

        Assert.Equivalent(Load([]).Settings, settings);
    }

    [Theory]
    [InlineData("PLAYCHAT_HOME", "/opt/playchat")]
    [InlineData("PLAYCHAT_NODE", "worker-3")]
    [InlineData("PLAYCHAT_DATA", "/var/lib/playchat")]
    public void Short_words_of_scripts_are_ignored_though_few_letters_make_them_a_key(string name, string value)
    {
        (ServerSettings settings, _) = Load([], s_settingsFile, new Hashtable { [name] = value });

        Assert.Equivalent(Load([]).Settings, settings);
    }

    [Fact]
    public void A_variable_that_is_near_a_key_and_no_services_stops_the_start()
    {
        StartException problem = Assert.Throws<StartException>(
            () => Load([], s_settingsFile, new Hashtable { ["PLAYCHAT_WEB_PORT"] = "7780" }));

        Assert.Equal(
            "The environment sets PLAYCHAT_WEB_PORT, but there is no key WEB_PORT; did you mean PLAYCHAT_Web__Port?", problem.Message);
    }

    [Fact]
    public void An_unknown_key_and_a_broken_file_are_named()
    {
        using var directory = new TemporaryDirectory();
        string file = directory.Combine("appsettings.json");
        File.WriteAllText(file, """{ "Rooms": { "MaxMembers": 11 } }""");
        StartException unknown = Assert.Throws<StartException>(() => Load([], file));
        File.WriteAllText(file, "{ nonsense");
        StartException broken = Assert.Throws<StartException>(() => Load([], file));

        Assert.Equal($"There is no key Rooms:MaxMembers, which {file} sets; did you mean PlayChat:Rooms:MaxMembers?", unknown.Message);
        Assert.StartsWith($"Reading {file} failed: ", broken.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, "0", "127.0.0.1:0")]
    [InlineData("0.0.0.0", null, "0.0.0.0:7777")]
    [InlineData("::1", "9", "[::1]:9")]
    [InlineData("[::1]", "9", "[::1]:9")]
    [InlineData("*", "9", "*:9")]
    public void Host_and_port_change_the_first_endpoint(string? host, string? port, string expected)
    {
        Assert.Equal(expected, ServerConfiguration.Readdress("127.0.0.1:7777", host, port));
    }

    [Fact]
    public void Endpoints_of_every_number_have_the_same_keys()
    {
        (_, IConfiguration configuration) = Load(["--PlayChat:Endpoints:1:Address=[::1]:7778", "--playchat:endpoints:12:tls:keypath=x"]);

        Assert.Equal("[::1]:7778", configuration["PlayChat:Endpoints:1:Address"]);
    }

    private static (ServerSettings Settings, IConfiguration Configuration) Load(
        string[] args, string? file = null, IDictionary? environment = null)
    {
        var configuration = new ConfigurationManager();
        ServerSettings settings = ServerConfiguration.Load(
            configuration, CommandLine.Parse(args), file ?? s_settingsFile, environment ?? new Hashtable());
        return (settings, configuration);
    }
}
