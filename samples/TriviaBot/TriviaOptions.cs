using System.Globalization;

namespace TriviaBot;

/// <summary>The command line.</summary>
internal sealed record TriviaOptions
{
    public const string PasswordVariable = "TRIVIABOT_PASSWORD";

    public const string Help = """
        A quiz master for the PlayChat chat server: joins a room, asks, recognises answers and keeps the score.
        "score" in the room tells it.

          dotnet run --project samples/TriviaBot

        --host HOST        the chat server (127.0.0.1)
        --port PORT        its port (7777)
        --name NAME        the bot's player (trivia); its password, where it has one, is in the environment: TRIVIABOT_PASSWORD
        --room NAME        the room, made when there is none of that name (trivia)
        --questions FILE   its own questions instead of those that come with the bot; a line each:
                           What is asked? | answer | another right answer
        --answer SECONDS   how long it waits for the answer, 1 to 3600 (30)
        --pause SECONDS    between an answer and the next question, 0 to 3600 (3)
        --help             this

        It comes back when the connection breaks or the server starts anew, with the score as it was.
        Exit code: 0 after Ctrl+C, 1 when the first connection fails or the server refuses, 2 when an option is wrong.

        """;

    public string Host { get; private init; } = "127.0.0.1";

    public int Port { get; private init; } = 7777;

    public string Name { get; private init; } = "trivia";

    public string Room { get; private init; } = "trivia";

    public string Questions { get; private init; } = Path.Combine(AppContext.BaseDirectory, "questions.txt");

    public TimeSpan AnswerTime { get; private init; } = TimeSpan.FromSeconds(30);

    public TimeSpan Pause { get; private init; } = TimeSpan.FromSeconds(3);

    public bool ShowHelp { get; private init; }

    /// <exception cref="ArgumentException">An option is wrong; the message says how.</exception>
    public static TriviaOptions Parse(IReadOnlyList<string> arguments)
    {
        var options = new TriviaOptions();
        for (int i = 0; i < arguments.Count; i++)
        {
            string name = arguments[i];
            string Value() =>
                ++i < arguments.Count ? arguments[i] : throw new ArgumentException($"{name} needs a value; --help shows how.");
            int Number(int min, int max) =>
                int.TryParse(Value(), NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= min && number <= max
                    ? number
                    : throw new ArgumentException($"{name} takes a number from {min} to {max}.");
            options = name switch
            {
                "--host" => options with { Host = Value() },
                "--port" => options with { Port = Number(1, ushort.MaxValue) },
                "--name" => options with { Name = Value() },
                "--room" => options with { Room = Value() },
                "--questions" => options with { Questions = Value() },
                "--answer" => options with { AnswerTime = TimeSpan.FromSeconds(Number(1, 3600)) },
                "--pause" => options with { Pause = TimeSpan.FromSeconds(Number(0, 3600)) },
                "--help" or "-h" => options with { ShowHelp = true },
                _ => throw new ArgumentException($"There is no option {name}; --help lists all."),
            };
        }

        return options;
    }
}
