namespace PlayChat.Client.Screens;

/// <summary>Carries out <c>/msg NAME TEXT</c>. Messages that arrive are shown by <see cref="RoomFeed"/>.</summary>
internal sealed class DirectMessages(ChatSession session, IUserInterface ui, TimeProvider time)
{
    private const string Usage = "/msg NAME TEXT";

    private const int MaxNames = 20;

    /// <summary>Sends a message to one player and shows it, or shows why it was not sent.</summary>
    /// <param name="argument">What follows the command: a name and a text.</param>
    public async Task SendAsync(string argument, IEnumerable<long> roomIds, CancellationToken cancellationToken)
    {
        List<Member> known = session.Feed.Players.With(roomIds.SelectMany(id => session.Client.FindRoom(id)?.Members ?? []));
        if (KnownPlayers.FindAtStart(known, argument) is not { } player)
        {
            session.TellUnsent(argument.Length == 0
                ? $"Type {Usage}. {Names(known)}"
                : $"Not sent: no player that you know has the name in \"{RoomSpeech.Excerpt(argument)}\". {Names(known)}");
            return;
        }

        string text = argument[player.Name.Length..].Trim();
        if (text.Length == 0)
        {
            session.TellUnsent($"Type the text behind the name: {Usage}.");
        }
        else if (!ChatRules.IsText(text))
        {
            session.TellUnsent(RoomSpeech.TooLong(text));
        }
        else
        {
            await SendAsync(player, text, cancellationToken);
        }
    }

    private async Task SendAsync(Member player, string text, CancellationToken cancellationToken)
    {
        try
        {
            await session.SendAsync(() => session.Client.SendDirectAsync(player.PlayerId, text, cancellationToken), cancellationToken);
            ui.Write(new ScreenLine(LineKind.Direct, $"[to {player.Name}] {text}", At: time.GetLocalNow()));
        }
        catch (Exception e) when (RoomSpeech.Problem(e, text) is { } problem)
        {
            session.TellUnsent(problem);
        }
    }

    private string Names(List<Member> known)
    {
        string[] names = [.. known.Where(player => player.PlayerId != session.Client.Login?.PlayerId).Select(static player => player.Name)];
        string more = names.Length > MaxNames ? $" and {names.Length - MaxNames} more" : "";
        return names.Length == 0
            ? "You know no player yet: join a room, or wait for a message."
            : $"You can write to: {string.Join(", ", names.Take(MaxNames))}{more}.";
    }
}
