using PlayChat.Client.FullScreen;
using PlayChat.Client.Interaction;

namespace PlayChat.Client.Tests.FullScreen;

public sealed class ChatModelTests
{
    private readonly ChatModel _model = ModelScene.Create(80, 24);

    [Fact]
    public void Enter_gives_the_line_with_the_room_that_is_seen_and_Up_recalls_it()
    {
        RoomInput entered = Assert.Single(Press([.. Keys.Type("hi"), Keys.Enter]));

        Assert.Equal(new RoomInput(1, "hi"), entered);
        Assert.Equal("", _model.Input.Text);
        Press([Keys.Press(ConsoleKey.UpArrow)]);
        Assert.Equal("hi", _model.Input.Text);
    }

    [Fact]
    public void Keys_switch_rooms_and_a_room_that_is_entered_has_nothing_unread()
    {
        Assert.Equal([0, 0, 1, 12], _model.Conversations.Select(static room => room.Unread));

        Press([Keys.Control(ConsoleKey.N)]);
        Assert.Equal("한국어 방 🎉", _model.Active.Name);
        Press([Keys.Alt(ConsoleKey.D4)]);
        Assert.Equal(9, _model.Active.RoomId);
        Press([Keys.Control(ConsoleKey.N)]);
        Assert.Equal(0, _model.Active.RoomId);

        Assert.All(_model.Conversations, static room => Assert.Equal(0, room.Unread));
    }

    [Fact]
    public void Alt_A_goes_first_to_the_room_that_names_the_user()
    {
        Press([Keys.Alt(ConsoleKey.A)]);
        Assert.Equal(7, _model.Active.RoomId);

        Press([Keys.Alt(ConsoleKey.A)]);
        Assert.Equal(9, _model.Active.RoomId);
    }

    [Fact]
    public void PageUp_at_the_oldest_message_asks_for_earlier_ones()
    {
        IReadOnlyList<RoomInput> inputs = Press([Keys.Press(ConsoleKey.PageUp)]);

        Assert.Equal(new RoomInput(1, Line: null), Assert.Single(inputs));
    }

    [Fact]
    public void Pasted_lines_are_posted_after_a_yes_and_what_was_typed_stays()
    {
        Press(Keys.Type("draft"));
        _model.Apply(new KeyInput(default, "one\n/two\n\n"));
        Assert.Equal("Post 2 lines? [y/N] ", _model.Input.Layout(80).Text);

        IReadOnlyList<RoomInput> inputs = Press(Keys.Type("y"));

        Assert.Equal([new RoomInput(1, "one"), new RoomInput(1, "//two")], inputs);
        Assert.Equal("draft", _model.Input.Text);
        _model.Apply(new KeyInput(default, "three\nfour"));
        Assert.Empty(Press([Keys.Enter]));
    }

    [Fact]
    public void A_line_that_comes_behind_a_draft_of_spaces_does_not_double_it()
    {
        Press(Keys.Type("  "));

        _model.Apply(new KeyInput(default, Burst: [.. Keys.Type("\r  hello")]));

        Assert.Equal("  hello", _model.Input.Text);
    }

    [Fact]
    public void Typed_lines_that_came_all_at_once_are_not_lost_by_a_no_which_only_its_keys_say()
    {
        Press(Keys.Type("draft "));
        _model.Apply(new KeyInput(default, Burst: [.. Keys.Type("hello\rhow are")]));
        Press([.. Keys.Type("x"), Keys.Press(ConsoleKey.PageUp)]);
        Assert.Equal("Post 2 lines? [y/N] ", _model.Input.Layout(80).Text);

        Assert.Empty(Press([Keys.Enter, .. Keys.Type(" you")]));

        Assert.Equal("draft how are you", _model.Input.Text);
        Press([Keys.Press(ConsoleKey.UpArrow)]);
        Assert.Equal("draft hello", _model.Input.Text);
    }

    [Fact]
    public void A_question_takes_the_input_line_and_a_secret_is_not_drawn()
    {
        Press(Keys.Type("draft"));
        _model.Line.Ask(new InputPrompt("Password: ", IsSecret: true));

        IReadOnlyList<RoomInput> inputs = Press(Keys.Type("hush"));
        Assert.Empty(inputs);
        Assert.True(_model.IsAnswering);
        Assert.DoesNotContain(ModelScene.Rows(_model), static row => row.Contains("hush", StringComparison.Ordinal));
        inputs = Press([Keys.Enter]);
        _model.Line.EndQuestion();

        Assert.Equal("hush", Assert.Single(inputs).Line);
        Assert.False(_model.IsAnswering);
        Assert.Equal("draft", _model.Input.Text);
    }

    [Fact]
    public void Tab_completes_rooms_and_the_members_of_the_room_that_is_seen()
    {
        ConsoleKeyInfo tab = new('\t', ConsoleKey.Tab, shift: false, alt: false, control: false);

        Press([.. Keys.Type("zo"), tab]);
        Assert.Equal("Zoë: ", _model.Input.Text);
        Press([Keys.Control(ConsoleKey.U), .. Keys.Type("/join 한"), tab]);
        Assert.Equal("/join 한국어 방 🎉", _model.Input.Text);
    }

    [Fact]
    public void A_room_that_is_closed_leads_to_the_one_before_it()
    {
        _model.Close(1);
        Assert.Equal(0, _model.Active.RoomId);

        _model.Close(0);
        Assert.Equal([0L, 7, 9], _model.Conversations.Select(static room => room.RoomId));
    }

    [Fact]
    public void A_search_goes_to_older_and_newer_matches_and_ends_with_Escape()
    {
        Press([Keys.Control(ConsoleKey.F), .. Keys.Type("hello")]);
        Assert.Equal(5, _model.Found);
        Press([Keys.Control(ConsoleKey.U), .. Keys.Type("o"), Keys.Enter]);
        Assert.Equal(4, _model.Found); // by the name: Zoë
        Press([Keys.Press(ConsoleKey.DownArrow)]);
        Assert.Equal(5, _model.Found);

        Press([Keys.Press(ConsoleKey.Escape)]);

        Assert.Null(_model.Search);
    }

    private List<RoomInput> Press(IEnumerable<ConsoleKeyInfo> keys) =>
        [.. keys.SelectMany(key => _model.Apply(new KeyInput(key))!)];
}
