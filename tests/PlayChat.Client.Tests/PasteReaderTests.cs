using PlayChat.Client.Interaction;

namespace PlayChat.Client.Tests;

public sealed class PasteReaderTests
{
    private readonly PasteReader _reader = new();

    [Fact]
    public void Text_between_the_sequences_is_one_paste_and_keys_around_it_stay_keys()
    {
        List<KeyInput> inputs = Read(Keys.Type("a"), Keys.Paste("one\rtwo\t👋"), Keys.Type("b"));

        Assert.Equal(3, inputs.Count);
        Assert.Equal('a', inputs[0].Key.KeyChar);
        Assert.Equal("one\ntwo 👋", inputs[1].Pasted);
        Assert.Equal('b', inputs[2].Key.KeyChar);
    }

    [Fact]
    public void A_sequence_that_began_and_did_not_go_on_is_given_as_keys()
    {
        List<KeyInput> inputs = Read(Keys.Type("\u001b[20x"));

        Assert.Equal("\u001b[20x", string.Concat(inputs.Select(static input => input.Key.KeyChar)));
    }

    [Fact]
    public void An_escape_that_comes_alone_is_given_at_once()
    {
        KeyInput input = Assert.Single(_reader.Read(Keys.Press(ConsoleKey.Escape), more: false));

        Assert.Equal(ConsoleKey.Escape, input.Key.Key);
    }

    [Fact]
    public void Escape_and_bracket_that_the_console_reports_as_one_key_begin_a_paste()
    {
        ConsoleKeyInfo both = new('[', ConsoleKey.None, shift: false, alt: true, control: false);

        List<KeyInput> inputs = Read([both], Keys.Type("200~hi"), [both], Keys.Type("201~"));

        Assert.Equal("hi", Assert.Single(inputs).Pasted);
    }

    [Fact]
    public void Control_characters_and_what_exceeds_the_limit_are_dropped()
    {
        List<KeyInput> inputs = Read(Keys.Paste("a\u0007\u001b[31mb" + new string('x', PasteReader.MaxChars)));

        string pasted = Assert.Single(inputs).Pasted!;
        Assert.StartsWith("a[31mbx", pasted, StringComparison.Ordinal);
        Assert.Equal(PasteReader.MaxChars, pasted.Length);
    }

    private List<KeyInput> Read(params IEnumerable<ConsoleKeyInfo>[] keys) =>
        [.. keys.SelectMany(static group => group).SelectMany(key => _reader.Read(key, more: true))];
}
