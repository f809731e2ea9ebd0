using System.CommandLine;
using PlayChat.Chat.Operations.Admin;
using PlayChat.Chat.Operations.Admin.Models;

namespace PlayChat.Chat.Cli;

/// <summary><c>admin accounts …</c> and <c>admin bans …</c>: accounts and bans of a running server, over its admin API.</summary>
/// <param name="admin">Runs them.</param>
/// <param name="input">Where new passwords come from.</param>
internal sealed class AdminAccountCommands(AdminCommand admin, IOperatorInput input)
{
    public Command Accounts()
    {
        Option<int> limit = new("--limit") { Description = "Number of lines, 1 to 1000.", DefaultValueFactory = static _ => 20 };
        Option<long> after = new("--after") { Description = "Continue after this id." };
        var command = new Command("accounts", "Lists accounts, or does something with one.")
        {
            limit, after, Add(), SetPassword(), SetDisabled("disable"), SetDisabled("enable"), Export(), Remove(),
        };
        admin.Run(command, async (client, result, cancel) => admin.Show(
            await client.GetAsync(
                "/accounts?" + AdminCommand.Query(("limit", result.GetValue(limit)), ("after", result.GetValue(after))), cancel),
            result,
            AdminJson.Default.PageAccountInfo,
            AdminTables.Of));
        return command;
    }

    public Command Bans()
    {
        var command = new Command("bans", "Lists the bans in effect, adds one, or lifts one.") { Ban(), Lift() };
        admin.Run(command, async (client, result, cancel) =>
            admin.Show(await client.GetAsync("/bans", cancel), result, AdminJson.Default.IReadOnlyListBanInfo, AdminTables.Of));
        return command;
    }

    private static Argument<string> Name() => new("name") { Description = "The name of the account." };

    private static Argument<string> Subject() =>
        new("subject") { Description = "The name of an account, or an address or network such as 203.0.113.0/24." };

    private static string Path(string name) => $"/accounts/{Uri.EscapeDataString(name)}";

    private Command Add()
    {
        Argument<string> name = Name();
        var command = new Command("add", "Makes an account. Asks for the password, or reads the first line of the input.") { name };
        admin.Act(command, (client, result, cancel) => client.SendAsync(
            HttpMethod.Post,
            "/accounts",
            new AccountRequest(result.GetValue(name), OperatorPassword.Read(input)),
            AdminJson.Default.AccountRequest,
            cancel));
        return command;
    }

    private Command SetPassword()
    {
        Argument<string> name = Name();
        var command = new Command("passwd", "Sets the password of an account. Its open sessions stay connected.") { name };
        admin.Act(command, (client, result, cancel) => client.SendAsync(
            HttpMethod.Put,
            Path(result.GetValue(name)!) + "/password",
            new PasswordRequest(OperatorPassword.Read(input)),
            AdminJson.Default.PasswordRequest,
            cancel));
        return command;
    }

    private Command SetDisabled(string verb)
    {
        Argument<string> name = Name();
        string description = verb == "disable" ? "Refuses further logins with an account." : "Lets an account in again.";
        var command = new Command(verb, description) { name };
        admin.Act(command, (client, result, cancel) =>
            client.SendAsync(HttpMethod.Post, $"{Path(result.GetValue(name)!)}/{verb}", cancel));
        return command;
    }

    private Command Export()
    {
        Argument<string> name = Name();
        const string About = "Prints everything about an account as JSON: itself, its messages, devices, memberships, reactions, reports.";
        var command = new Command("export", About) { name };
        admin.Run(command, (client, result, cancel) => client.GetAsync(Path(result.GetValue(name)!) + "/export", cancel));
        return command;
    }

    private Command Remove()
    {
        Argument<string> name = Name();
        Option<bool> texts = new("--texts") { Description = "Empties the texts of its stored messages as well." };
        Option<bool> yes = new("--yes") { Description = "Confirms that the account should be deleted for good." };
        var command = new Command("remove", "Deletes an account for good. Its messages stay, with its name.") { name, texts, yes };
        command.Validators.Add(result =>
        {
            if (!result.GetValue(yes))
            {
                result.AddError("remove deletes the account for good. Confirm with --yes.");
            }
        });
        admin.Act(command, (client, result, cancel) => client.SendAsync(
            HttpMethod.Delete, Path(result.GetValue(name)!) + (result.GetValue(texts) ? "?texts=true" : ""), cancel));
        return command;
    }

    private Command Ban()
    {
        Argument<string> subject = Subject();
        Option<TimeSpan?> duration = BansCommand.Duration();
        Option<string?> reason = new("--reason") { Description = "Why, at most 200 characters; the banned read it." };
        var command = new Command("add", "Bans an account, an address or a network.") { subject, duration, reason };
        admin.Act(command, (client, result, cancel) => client.SendAsync(
            HttpMethod.Post,
            "/bans",
            new BanRequest(result.GetValue(subject), (long?)result.GetValue(duration)?.TotalSeconds, result.GetValue(reason)),
            AdminJson.Default.BanRequest,
            cancel));
        return command;
    }

    private Command Lift()
    {
        Argument<string> subject = Subject();
        var command = new Command("remove", "Lifts a ban.") { subject };
        admin.Act(command, (client, result, cancel) =>
            client.SendAsync(HttpMethod.Delete, "/bans?" + AdminCommand.Query(("subject", result.GetValue(subject))), cancel));
        return command;
    }
}
