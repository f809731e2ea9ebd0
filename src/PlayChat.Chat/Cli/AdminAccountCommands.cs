using System.CommandLine;
using PlayChat.Chat.Operations.Admin;
using PlayChat.Chat.Operations.Admin.Models;

namespace PlayChat.Chat.Cli;

/// <summary><c>admin accounts …</c> and <c>admin bans …</c>: accounts and bans of a running server, over its admin API.</summary>
internal sealed class AdminAccountCommands(AdminCommand admin, IOperatorInput input)
{
    private readonly Argument<string> _name = new("name") { Description = "The name of the account." };

    private readonly Argument<string> _subject =
        new("subject") { Description = "The name of an account, or an address or network such as 203.0.113.0/24." };

    public Command Accounts()
    {
        var command = new Command("accounts", "Lists accounts, or does something with one.")
        {
            admin.Limit, admin.After, Add(), SetPassword(), SetDisabled("disable"), SetDisabled("enable"), Export(), Remove(),
        };
        return admin.Read(command, AdminJson.Default.PageAccountInfo, AdminTables.Of, result => "/accounts?" + AdminCommand.Query(
            ("limit", result.GetValue(admin.Limit)), ("after", result.GetValue(admin.After))));
    }

    public Command Bans()
    {
        var command = new Command("bans", "Lists the bans in effect, adds one, or lifts one.") { Ban(), Lift() };
        return admin.Read(command, AdminJson.Default.IReadOnlyListBanInfo, AdminTables.Of, static _ => "/bans");
    }

    private static string Path(string name) => $"/accounts/{Uri.EscapeDataString(name)}";

    private Command Add()
    {
        var command = new Command("add", "Makes an account. Asks for the password, or reads the first line of the input.") { _name };
        return admin.Act(command, (client, result, cancel) => client.SendAsync(
            HttpMethod.Post,
            "/accounts",
            new AccountRequest(result.GetValue(_name), OperatorPassword.Read(input)),
            AdminJson.Default.AccountRequest,
            cancel));
    }

    private Command SetPassword()
    {
        var command = new Command("passwd", "Sets the password of an account. Its open sessions stay connected.") { _name };
        return admin.Act(command, (client, result, cancel) => client.SendAsync(
            HttpMethod.Put,
            Path(result.GetValue(_name)!) + "/password",
            new PasswordRequest(OperatorPassword.Read(input)),
            AdminJson.Default.PasswordRequest,
            cancel));
    }

    private Command SetDisabled(string verb)
    {
        string description = verb == "disable" ? "Refuses further logins with an account." : "Lets an account in again.";
        var command = new Command(verb, description) { _name };
        return admin.Act(command, (client, result, cancel) =>
            client.SendAsync(HttpMethod.Post, $"{Path(result.GetValue(_name)!)}/{verb}", cancel));
    }

    private Command Export()
    {
        const string About = "Prints everything about an account as JSON: itself, its messages, devices, memberships, reactions, reports.";
        var command = new Command("export", About) { _name };
        return admin.Run(
            command, (client, result, cancel) => client.GetAsync(Path(result.GetValue(_name)!) + "/export", cancel), isPatient: true);
    }

    private Command Remove()
    {
        Option<bool> texts = new("--texts") { Description = "Empties the texts of its stored messages as well." };
        Option<bool> yes = new("--yes") { Description = "Confirms that the account should be deleted for good." };
        var command = new Command("remove", "Deletes an account for good. Its messages stay, with its name.") { _name, texts, yes };
        command.Validators.Add(result =>
        {
            if (!result.GetValue(yes))
            {
                result.AddError("remove deletes the account for good. Confirm with --yes.");
            }
        });
        return admin.Act(
            command,
            (client, result, cancel) => client.SendAsync(
                HttpMethod.Delete, Path(result.GetValue(_name)!) + (result.GetValue(texts) ? "?texts=true" : ""), cancel),
            isPatient: true);
    }

    private Command Ban()
    {
        Option<TimeSpan?> duration = BansCommand.Duration();
        Option<string?> reason = new("--reason") { Description = "Why, at most 200 characters; the banned read it." };
        var command = new Command("add", "Bans an account, an address or a network.") { _subject, duration, reason };
        return admin.Act(command, (client, result, cancel) => client.SendAsync(
            HttpMethod.Post,
            "/bans",
            new BanRequest(result.GetValue(_subject), (long?)result.GetValue(duration)?.TotalSeconds, result.GetValue(reason)),
            AdminJson.Default.BanRequest,
            cancel));
    }

    private Command Lift()
    {
        var command = new Command("remove", "Lifts a ban.") { _subject };
        return admin.Act(command, (client, result, cancel) =>
            client.SendAsync(HttpMethod.Delete, "/bans?" + AdminCommand.Query(("subject", result.GetValue(_subject))), cancel));
    }
}
