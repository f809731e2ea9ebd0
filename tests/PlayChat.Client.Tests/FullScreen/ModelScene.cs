using PlayChat.Client.FullScreen;
using PlayChat.Client.Interaction;
using PlayChat.Client.Text;

namespace PlayChat.Client.Tests.FullScreen;

/// <summary>A model in the middle of a conversation: three rooms, unread messages, names of several scripts.</summary>
internal static class ModelScene
{
    private static readonly DateTimeOffset s_start = new(2026, 3, 14, 15, 9, 0, TimeSpan.Zero);

    public static ChatModel Create(int columns, int rows)
    {
        var model = new ChatModel("chat.example.org:7777")
        {
            Size = (columns, rows),
            PlayerName = "ada",
            Link = new LinkState(IsConnected: true, "connected", TimeSpan.FromMilliseconds(11.2)),
            Complete = static (_, before) => Completions.Find(
                before, ChatCommand.All, ["lobby", "한국어 방 🎉", "trivia"], ["ada", "bob", "민수", "Zoë"], ["bob"]),
        };
        model.Open(1, "lobby", [], []);
        model.Open(7, "한국어 방 🎉", [], []);
        Conversation lobby = model.Of(1);
        model.SwitchTo(lobby);
        lobby.Members = ["ada", "bob", "민수", "Zoë", "a player with a long name"];
        Say(model, lobby, 0, LineKind.Chat, "bob",
            "Morning! Did the tournament bracket come out yet, or do we still wait for the last two teams?");
        Say(model, lobby, 1, LineKind.OwnChat, "ada",
            "It did 🎉 https://chat.example.org/brackets/2026/spring/final-round-of-the-open-tournament");
        Say(model, lobby, 2, LineKind.Event, null, "민수 has joined the room.");
        Say(model, lobby, 2, LineKind.Chat, "민수", "안녕하세요 여러분, 토너먼트 대진표를 보셨나요? 저는 아직 못 봤어요 👩‍👩‍👧");
        Say(model, lobby, 3, LineKind.Chat, "Zoë", "cafe\u0301 at noon? 🥐");
        Say(model, lobby, 4, LineKind.Chat, "a player with a long name", "hello there");
        Say(model, model.Of(7), 5, LineKind.Chat, "민수", "ada, 여기도 봐 주세요");
        for (int i = 0; i < 12; i++)
        {
            Say(model, model.Of(9), 6, LineKind.Chat, "quiz", $"question {i}");
        }

        model.Of(9).Name = "trivia with a name that is too long";
        return model;
    }

    public static void Say(ChatModel model, Conversation room, int minute, LineKind kind, string? speaker, string text) =>
        model.Add(room, new ScreenLine(
            kind, text, speaker, s_start.AddMinutes(minute), IsMention: kind == LineKind.Chat && Mention.IsIn(text, "ada")));

    public static IReadOnlyList<string> Rows(ChatModel model)
    {
        ScreenBuffer screen = ChatView.Draw(model);
        return [.. Enumerable.Range(0, screen.Rows).Select(row => RowText(screen, row))];
    }

    /// <summary>A row as text, with all its spaces.</summary>
    public static string RowText(ScreenBuffer screen, int row) =>
        string.Concat(Enumerable.Range(0, screen.Columns).Select(column => screen.TextAt(row, column)));
}
