using PlayChat.Chat.Configuration;

namespace PlayChat.Server.Tests.Configuration;

public sealed class SettingsSummaryTests
{
    [Fact]
    public void Only_what_differs_from_its_default_is_listed_and_secrets_are_hidden()
    {
        var values = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase)
        {
            ["Rooms:MaxRooms"] = "10000",
            ["PlayChat:Rooms:MaxMembers"] = "50",
            ["Accounts:AutoRegister"] = "True",
            ["Operations:Token"] = "a secret of some length",
            ["Storage:ConnectionString"] = "Host=db;Password=secret",
            ["Webhooks:Targets:1:Url"] = "https://shop.example/hook",
            ["Webhooks:Targets:2:Url"] = "https://user:word@shop.example:8443/?token=secret",
            ["Telemetry:Otlp:Endpoint"] = "http://collector:4318",
            ["Webhooks:Targets:1:Secret"] = "whsec_secret",
            ["Webhooks:Targets:1:OldSecret"] = "whsec_old",
            ["PlayChat:Endpoints:1:Address"] = "*:7778",
            ["PlayChat:Endpoints:1:Tls:Password"] = "secret",
            ["Serilog:MinimumLevel:Default"] = "Information",
            ["Serilog:MinimumLevel:Override:Microsoft"] = "Warning",
            ["Serilog:MinimumLevel:Override:PlayChat.Core"] = "Debug",
            ["Serilog:WriteTo:0:Name"] = "Console",
        };

        Assert.Equal(
            [
                "Operations:Token=***",
                "PlayChat:Endpoints:1:Address=*:7778",
                "PlayChat:Endpoints:1:Tls:Password=***",
                "PlayChat:Rooms:MaxMembers=50",
                "Serilog:MinimumLevel:Override:PlayChat.Core=Debug",
                "Storage:ConnectionString=***",
                "Telemetry:Otlp:Endpoint=http://collector:4318",
                "Webhooks:Targets:1:OldSecret=***",
                "Webhooks:Targets:1:Secret=***",
                "Webhooks:Targets:1:Url=https://shop.example/***",
                "Webhooks:Targets:2:Url=https://shop.example:8443/***",
            ],
            SettingsSummary.Of(values));
    }

    [Fact]
    public void Every_setting_whose_text_speaks_of_a_secret_is_one()
    {
        string[] open =
        [
            .. SettingsCatalog.All
                .Where(static setting => setting.Allowed.Contains("text, or empty", StringComparison.Ordinal)
                    || setting.Description.Contains("ecret", StringComparison.Ordinal)
                    || setting.Description.Contains("holds a password", StringComparison.Ordinal))
                .Select(static setting => setting.Key)
                .Where(static key => !SettingsCatalog.IsSecret(key)),
        ];

        Assert.Empty(open);
    }
}
