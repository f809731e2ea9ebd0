using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>Says things in a room, in order, and tells when one of them was refused. The user types on meanwhile.</summary>
internal sealed class RoomSpeech(ChatClient client, long roomId, IUserInterface ui)
{
    // A person never has so many answers to wait for; a script that is faster than the server waits here.
    private const int MaxUnanswered = 64;

    private readonly Queue<Task> _unanswered = new();

    /// <summary>Says something; waits only when too much is unanswered.</summary>
    public async Task SayAsync(string text, CancellationToken cancellationToken)
    {
        while (_unanswered.TryPeek(out Task? oldest) && (oldest.IsCompleted || _unanswered.Count >= MaxUnanswered))
        {
            await _unanswered.Dequeue();
        }

        _unanswered.Enqueue(ChatAsync(text, cancellationToken));
    }

    /// <summary>Waits until everything that was said has been answered, or will not be.</summary>
    public async Task AllAnsweredAsync(CancellationToken cancellationToken)
    {
        while (_unanswered.TryDequeue(out Task? oldest))
        {
            await oldest.WaitAsync(cancellationToken);
        }
    }

    private async Task ChatAsync(string text, CancellationToken cancellationToken)
    {
        try
        {
            await client.ChatAsync(roomId, text, client.NewClientMessageId(), cancellationToken);
        }
        catch (Exception e) when (e is ChatErrorException or ArgumentException)
        {
            ui.Write(new ScreenLine(LineKind.Warning, $"Not sent: {e.Message} ({Excerpt(text)})"));
        }
        catch (Exception e) when (e is TimeoutException or ChatConnectionClosedException)
        {
            ui.Write(new ScreenLine(LineKind.Warning, $"It is not known whether this arrived: {Excerpt(text)}. {e.Message}"));
        }
    }

    private static string Excerpt(string text)
    {
        var elements = new System.Globalization.StringInfo(text);
        const int MaxElements = 40;
        return elements.LengthInTextElements <= MaxElements ? text : elements.SubstringByTextElements(0, MaxElements) + "…";
    }
}
