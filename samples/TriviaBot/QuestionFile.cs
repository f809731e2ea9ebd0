using System.Globalization;

namespace TriviaBot;

/// <summary>Reads questions from a text file; questions.txt beside the program shows how it looks.</summary>
internal static class QuestionFile
{
    /// <exception cref="InvalidDataException">A line is no question, or there is none; the message names the line.</exception>
    /// <exception cref="IOException">Reading the file failed.</exception>
    public static IReadOnlyList<Question> Read(string path) => Parse(File.ReadLines(path), path);

    /// <param name="lines">One question each: the text and its answers, with | between.</param>
    /// <param name="name">For error messages.</param>
    /// <exception cref="InvalidDataException">A line is no question, or there is none; the message names the line.</exception>
    public static IReadOnlyList<Question> Parse(IEnumerable<string> lines, string name)
    {
        List<Question> questions = [];
        int number = 0;
        foreach (string line in lines)
        {
            number++;
            if (string.IsNullOrWhiteSpace(line) || line.TrimStart().StartsWith('#'))
            {
                continue;
            }

            string[] parts = line.Split('|', StringSplitOptions.TrimEntries);
            if (parts.Length < 2 || parts[0].Length == 0 || parts[1..].Any(static answer => Words.Plain(answer).Length == 0))
            {
                throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture,
                    $"{name}, line {number}: a question looks like this: What is asked? | answer | another right answer"));
            }

            questions.Add(new Question(parts[0], parts[1..]));
        }

        return questions.Count > 0 ? questions : throw new InvalidDataException($"{name} has no questions.");
    }
}
