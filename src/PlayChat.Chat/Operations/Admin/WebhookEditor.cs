using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Webhooks;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Shows the webhooks, and does what an operator asks with their dead letters.</summary>
internal sealed class WebhookEditor(WebhookService? service = null)
{
    private WebhookService Service => service
        ?? throw AdminException.Conflict("The server has no webhooks. Set Webhooks:Targets:0:Url and Webhooks:Targets:0:Secret.");

    /// <summary>Lists the webhooks; none when the settings have none.</summary>
    public IReadOnlyList<WebhookStatus> List() => service?.List() ?? [];

    /// <summary>Lists dead letters by rising id.</summary>
    /// <exception cref="AdminException">The query is invalid, or the server has no webhooks.</exception>
    public Page<DeadLetter> ListDeadLetters(string? target, long after, int limit)
    {
        new ListQuery(after, limit).Check("id");
        IReadOnlyList<DeadLetter> items = Service.ListDeadLetters(target, after, limit);
        return new Page<DeadLetter>(items, Matched: null, items.Count == limit ? items[^1].Id : null);
    }

    /// <summary>Sends dead letters again: one, those of a target, or all.</summary>
    /// <exception cref="AdminException">There is no such dead letter, or the server has no webhooks.</exception>
    public ActionResult Retry(string? target, long? id) =>
        Done(
            Service.RetryDeadLetters(target, id), id, "wait to be sent again",
            "There is no dead letter {0} of a webhook that the settings have. List them to see which there are.");

    /// <summary>Deletes dead letters: one, those of a target, or all.</summary>
    /// <exception cref="AdminException">There is no such dead letter, or the server has no webhooks.</exception>
    public ActionResult Delete(string? target, long? id) =>
        Done(Service.DeleteDeadLetters(target, id), id, "were deleted", "There is no dead letter {0}. List them to see which there are.");

    private static ActionResult Done(int count, long? id, string done, string missing) => id is null || count > 0
        ? new ActionResult(string.Create(CultureInfo.InvariantCulture, $"{count} dead letters {done}."), count)
        : throw AdminException.NotFound(string.Format(CultureInfo.InvariantCulture, missing, id));
}
