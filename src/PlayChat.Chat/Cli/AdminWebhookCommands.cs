using System.CommandLine;
using PlayChat.Chat.Operations.Admin;

namespace PlayChat.Chat.Cli;

/// <summary><c>admin webhooks …</c>: webhooks of a running server and their dead letters, over its admin API.</summary>
internal sealed class AdminWebhookCommands(AdminCommand admin)
{
    private const string DeadLetters = "/webhooks/dead-letters";

    private readonly Option<string?> _target = new("--target") { Description = "Only those of this webhook." };

    public Command Webhooks()
    {
        var command = new Command("webhooks", "Lists the webhooks, or does something with what they gave up.")
        {
            List(),
            Change("retry", "Sends a dead letter again, or all.", HttpMethod.Post, "/retry"),
            Change("delete", "Deletes a dead letter, or all.", HttpMethod.Delete, ""),
        };
        return admin.Read(command, AdminJson.Default.IReadOnlyListWebhookStatus, AdminTables.Of, static _ => "/webhooks");
    }

    private Command List()
    {
        var command = new Command("dead-letters", "Lists the requests that were given up.") { _target, admin.Limit, admin.After };
        return admin.Read(command, AdminJson.Default.PageDeadLetter, AdminTables.Of, result => $"{DeadLetters}?" + AdminCommand.Query(
            ("target", result.GetValue(_target)), ("limit", result.GetValue(admin.Limit)), ("after", result.GetValue(admin.After))));
    }

    private Command Change(string verb, string description, HttpMethod method, string end)
    {
        Argument<long?> id = new("id") { Description = "The dead letter.", Arity = ArgumentArity.ZeroOrOne };
        Option<bool> all = new("--all") { Description = "All dead letters." };
        var command = new Command(verb, description) { id, all, _target };
        command.Validators.Add(result =>
        {
            if ((result.GetValue(id) is null) == (!result.GetValue(all) && result.GetValue(_target) is null))
            {
                result.AddError("Name a dead letter by its id, or all by --all, or those of a webhook by --target.");
            }
        });
        return admin.Act(command, (client, result, cancel) => client.SendAsync(
            method,
            result.GetValue(id) is { } one
                ? $"{DeadLetters}/{one}{end}"
                : $"{DeadLetters}{end}?{AdminCommand.Query(("target", result.GetValue(_target)))}",
            cancel));
    }
}
