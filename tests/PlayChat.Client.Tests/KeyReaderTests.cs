using PlayChat.Client.Interaction;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

public sealed class KeyReaderTests
{
    [Fact]
    public async Task Text_between_the_sequences_is_one_paste_and_keys_around_it_stay_keys()
    {
        List<KeyInput> inputs = await ReadAsync(Keys.Type("a"), Keys.Paste("one\rtwo\t👋"), Keys.Type("b"));

        Assert.Equal(3, inputs.Count);
        Assert.Equal('a', inputs[0].Key.KeyChar);
        Assert.Equal("one\ntwo 👋", inputs[1].Pasted);
        Assert.Equal('b', inputs[2].Key.KeyChar);
    }

    [Fact]
    public async Task A_sequence_that_began_and_did_not_go_on_is_given_as_keys()
    {
        List<KeyInput> inputs = await ReadAsync(Keys.Type("\u001b[20x"));

        Assert.Equal("\u001b[20x", string.Concat(inputs.Select(static input => input.Key.KeyChar)));
    }

    [Fact]
    public async Task An_escape_that_comes_alone_is_given_at_once()
    {
        var first = new TaskCompletionSource<KeyInput?>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var terminal = new FakeTerminal();
        KeyReader.Start(terminal, input => first.TrySetResult(input));

        terminal.Press(Keys.Press(ConsoleKey.Escape)); // and nothing after it

        Assert.Equal(ConsoleKey.Escape, (await first.Task.WaitAsync(TestTimeouts.Hang))?.Key.Key);
        terminal.EndKeys();
    }

    [Fact]
    public async Task Escape_and_bracket_that_the_console_reports_as_one_key_begin_a_paste()
    {
        ConsoleKeyInfo both = new('[', ConsoleKey.None, shift: false, alt: true, control: false);

        List<KeyInput> inputs = await ReadAsync([both], Keys.Type("200~hi"), [both], Keys.Type("201~"));

        Assert.Equal("hi", Assert.Single(inputs).Pasted);
    }

    [Fact]
    public async Task Control_characters_and_what_exceeds_the_limit_are_dropped()
    {
        List<KeyInput> inputs = await ReadAsync(Keys.Paste("a\u0007\u001b[31mb" + new string('x', KeyReader.MaxPasteChars)));

        string pasted = Assert.Single(inputs).Pasted!;
        Assert.StartsWith("a[31mbx", pasted, StringComparison.Ordinal);
        Assert.Equal(KeyReader.MaxPasteChars - 2, pasted.Length); // the two control characters count
    }

    // The keys arrive together.
    private static async Task<List<KeyInput>> ReadAsync(params IEnumerable<ConsoleKeyInfo>[] keys)
    {
        List<KeyInput> inputs = [];
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var terminal = new FakeTerminal();
        terminal.Press([.. keys.SelectMany(static group => group)]);
        terminal.EndKeys();
        KeyReader.Start(terminal, input =>
        {
            if (input is { } some)
            {
                inputs.Add(some);
            }
            else
            {
                ended.SetResult();
            }
        });
        await ended.Task.WaitAsync(TestTimeouts.Hang);
        return inputs;
    }
}
