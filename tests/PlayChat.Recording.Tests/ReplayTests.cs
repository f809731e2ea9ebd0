using PlayChat.Core.Rooms;
using PlayChat.Persistence;
using PlayChat.Testing;

namespace PlayChat.Recording.Tests;

public sealed class ReplayTests
{
    [Fact]
    public async Task Timers_jobs_joins_leaves_time_and_random_numbers_are_repeated()
    {
        using var folder = new Folder();
        string file = await Shop.RecordAsync(folder);

        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file);

        replay.ThrowIfDiverged();
        Assert.Equal(RecordingEnd.RoomEnded, replay.End);
        Assert.StartsWith("identical, ", replay.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_fault_is_found_where_it_begins_with_the_lines_that_differ()
    {
        using var folder = new Folder();
        string file = await Shop.RecordAsync(folder);

        // Of ada, who buys 1, 2, 3, and bob, who buys 2, 4, 6, bob is the first whose total is 6.
        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file, static context => new ShopRoom(context) { MaxTotal = 6 });

        RoomReplayDivergence divergence = Assert.IsType<RoomReplayDivergence>(replay.Divergence);
        Assert.StartsWith("the handler of Buy from session ", divergence.During, StringComparison.Ordinal);
        Assert.Contains("Bought to all", divergence.Expected, StringComparison.Ordinal);
        string[] lines = divergence.Difference!.ReplaceLineEndings("\n").Split('\n');
        Assert.Equal(
            ["    {", "      \"Name\": \"bob\",", "      \"Count\": 4,", "      \"Total\": 6,"], lines[..4]);
        Assert.StartsWith("  -   \"Discount\": ", lines[4], StringComparison.Ordinal);
        Assert.Equal("  +   \"Discount\": 0,", lines[5]);
        RoomReplayException thrown = Assert.Throws<RoomReplayException>(replay.ThrowIfDiverged);
        Assert.Contains(divergence.ToString(), thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_room_with_a_clock_of_its_own_fails_by_the_packet_that_shows_it()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder, make: static context => new ShopRoom(context) { IsCareless = true });
        await shop.SendAsync(await shop.EnterAsync("ada"), new Buy(1));
        string file = await shop.StopAsync(folder);

        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file, static context => new ShopRoom(context) { IsCareless = true });

        Assert.StartsWith("the handler of Buy", replay.Divergence!.During, StringComparison.Ordinal);
        Assert.Contains("AtTicks", replay.Divergence.Difference, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_timer_with_another_period_is_a_difference()
    {
        using var folder = new Folder();
        string file = await Shop.RecordAsync(folder);

        RoomReplayResult<ShopRoom> replay =
            await Shop.ReplayAsync(file, static context => new ShopRoom(context) { Restocking = TimeSpan.FromSeconds(6) });

        Assert.Equal("a timer of 00:00:07 that runs ShopRoom.Restock", replay.Divergence!.Expected);
        Assert.Equal("one of 00:00:06 that runs ShopRoom.Restock", replay.Divergence.Got);
    }

    [Fact]
    public async Task A_tick_at_another_rate_is_a_difference()
    {
        using var folder = new Folder();
        string file = await Shop.RecordAsync(folder);

        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file, static context => new ShopRoom(context) { Hertz = 8 });

        Assert.Equal(("the tick", 1), (replay.Divergence!.During, replay.Divergence.Tick));
    }

    [Fact]
    public async Task A_job_without_a_name_ends_the_replay_with_what_to_use_instead()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder);
        await shop.Room.PostAsync(static room => room.Fill(1));
        string file = await shop.StopAsync(folder);

        RoomReplayException fault = await Assert.ThrowsAsync<RoomReplayException>(() => Shop.ReplayAsync(file));

        Assert.Contains(
            $"A job (a lambda in {nameof(ReplayTests)}.{nameof(A_job_without_a_name_ends_the_replay_with_what_to_use_instead)})",
            fault.Message,
            StringComparison.Ordinal);
        Assert.Contains("RoomJob", fault.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_request_that_only_reads_the_room_can_be_left_out()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder);
        await shop.SendAsync(await shop.EnterAsync("ada"), new Buy(1));
        Assert.Equal(9, await shop.Room.RequestAsync(static room => room.Count));
        await shop.AdvanceAsync(3);
        string file = await shop.StopAsync(folder);

        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file, skips: true);

        replay.ThrowIfDiverged();
    }

    [Fact]
    public async Task A_job_that_the_room_posts_to_itself_needs_no_name()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder);
        HarnessClient ada = await shop.EnterAsync("ada");
        await shop.SendAsync(ada, new Whisper("hello"));
        string file = await shop.StopAsync(folder);

        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file);

        replay.ThrowIfDiverged();
        Assert.Equal(new Whisper("hello"), Assert.Single(ada.Received<Whisper>()));
    }

    [Fact]
    public async Task An_exception_of_the_recorded_room_is_thrown_again()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder);
        HarnessClient ada = await shop.EnterAsync("ada");
        await shop.AdvanceAsync(1.5);
        await shop.SendAsync(ada, new Buy(-1));
        string file = await shop.StopAsync(folder);

        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file);

        replay.ThrowIfDiverged();
        RoomReplayFault fault = Assert.Single(replay.Faults);
        Assert.IsType<ArgumentOutOfRangeException>(fault.Exception);
        Assert.Equal(TimeSpan.FromSeconds(1.5), fault.At);
        Assert.Same(fault.Exception, Assert.Throws<RoomReplayException>(replay.ThrowIfFaulted).InnerException);
    }

    [Fact]
    public async Task A_check_that_fails_says_after_what()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder);
        HarnessClient ada = await shop.EnterAsync("ada");
        await shop.SendAsync(ada, new Buy(7));
        await shop.SendAsync(ada, new Buy(7));
        string file = await shop.StopAsync(folder);

        RoomReplayException fault = await Assert.ThrowsAsync<RoomReplayException>(
            () => Shop.ReplayAsync(file, check: static room => Assert.True(room.Count >= 0, "sold too much")));

        Assert.Contains("after the handler of Buy from session ", fault.Message, StringComparison.Ordinal);
        Assert.Contains("sold too much", fault.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_recording_that_begins_later_repeats_members_timers_and_random_numbers()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder, records: false);
        HarnessClient ada = await shop.EnterAsync("ada");
        await shop.SendAsync(ada, new Buy(3));
        await shop.AdvanceAsync(3);
        RoomRecording recording = await shop.Recordings.StartAsync(ShopRoom.Title);
        HarnessClient bob = await shop.EnterAsync("bob");
        await shop.SendAsync(bob, new Buy(2));
        await shop.AdvanceAsync(20);
        RecordingResult result = await recording.StopAsync();
        await shop.DisposeAsync();

        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(result.Path);

        replay.ThrowIfDiverged();
        Assert.Equal(RecordingEnd.Stopped, replay.End);
        Assert.Equal(result.Turns, replay.Turns);
    }

    [Fact]
    public async Task Joins_that_the_room_refuses_are_refused_again_without_the_password_in_the_file()
    {
        using var folder = new Folder();
        var settings = new RoomSettings { Name = ShopRoom.Title, Password = "open-sesame", Capacity = 1, RemoveWhenEmpty = true };
        Shop shop = await Shop.StartAsync(folder, settings: settings);
        HarnessClient ada = await shop.Harness.ConnectAsync();
        HarnessClient bob = await shop.Harness.ConnectAsync();
        JoinStatus[] results =
        [
            (await shop.Room.JoinAsync(ada.Session, new Enter("ada"), "open-sesame")).Status,
            (await shop.Room.JoinAsync(bob.Session, new Enter("bob"), "guess-sesame")).Status,
            (await shop.Room.JoinAsync(bob.Session, new Enter("bob"), "open-sesame")).Status,
        ];
        await shop.SendAsync(ada, new Buy(1));
        ada.Break();
        await shop.AdvanceAsync(1);
        string file = await shop.StopAsync(folder);

        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file);

        Assert.Equal([JoinStatus.Joined, JoinStatus.WrongPassword, JoinStatus.Full], results);
        replay.ThrowIfDiverged();
        Assert.True(replay.Room.IsRemoved); // it was empty
        string content = System.Text.Encoding.Latin1.GetString(await File.ReadAllBytesAsync(file));
        Assert.DoesNotContain("sesame", content, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_room_that_survives_restarts_is_recorded_without_its_saves()
    {
        using var folder = new Folder();
        using var saved = new Folder();
        using var store = new FileRoomStore(saved.Path);
        Shop shop = await Shop.StartAsync(
            folder,
            records: false,
            settings: new RoomSettings { Name = ShopRoom.Title, IsPersistent = true },
            server: server => server.UseRoomStore(store));
        RoomRecording recording = await shop.Recordings.StartAsync(ShopRoom.Title);
        await shop.SendAsync(await shop.EnterAsync("ada"), new Buy(1));
        await shop.AdvanceAsync(25); // it is saved every ten seconds
        RecordingResult result = await recording.StopAsync();
        await shop.DisposeAsync();

        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(result.Path);

        replay.ThrowIfDiverged();
        Assert.Equal(100, replay.Ticks);
    }

    [Fact]
    public async Task What_is_not_to_be_recorded_is_in_no_file()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder);
        HarnessClient ada = await shop.EnterAsync("ada");
        await shop.SendAsync(ada, new Pay("corner", "4111-1111", 9876));
        await shop.Room.PostAsync(ShopRoom.Delivered, new Delivery(1, "mister-x"));
        await shop.AdvanceAsync(1);
        string file = await shop.StopAsync(folder);

        string content = System.Text.Encoding.Latin1.GetString(await File.ReadAllBytesAsync(file));
        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file);

        Assert.Contains("corner", content, StringComparison.Ordinal);
        Assert.DoesNotContain("4111", content, StringComparison.Ordinal);
        Assert.DoesNotContain("9876", content, StringComparison.Ordinal);
        Assert.DoesNotContain("mister-x", content, StringComparison.Ordinal);
        replay.ThrowIfDiverged();
    }

    [Fact]
    public async Task A_room_that_draws_fewer_random_numbers_than_before_differs_although_it_sends_the_same()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder, make: static context => new ShopRoom(context) { Draws = 3 });
        await shop.SendAsync(await shop.EnterAsync("ada"), new Buy(1));
        string file = await shop.StopAsync(folder);

        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(file, static context => new ShopRoom(context) { Draws = 2 });

        Assert.Equal(("random numbers drawn: 3", "2"), (replay.Divergence!.Expected, replay.Divergence.Got));
    }

    [Theory]
    [InlineData("4111-1111")]
    [InlineData("""{"Shop":"4111","Shop":"4111"}""")]
    public async Task A_raw_frame_with_the_id_of_a_packet_that_is_partly_left_out_is_left_out_as_a_whole(string sent)
    {
        byte[] body = System.Text.Encoding.UTF8.GetBytes(sent);
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder);
        HarnessClient ada = await shop.EnterAsync("ada");
        await shop.Room.PostAsync(room => room.SendRaw(body, packet: 4));
        await shop.Harness.IdleAsync();
        string file = await shop.StopAsync(folder);

        Assert.Equal(body, ada.Frames[^1].Body.ToArray());
        Assert.DoesNotContain("4111", System.Text.Encoding.Latin1.GetString(await File.ReadAllBytesAsync(file)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_recording_of_another_room_is_refused()
    {
        using var folder = new Folder();
        string file = await Shop.RecordAsync(folder);

        RoomReplayException fault = await Assert.ThrowsAsync<RoomReplayException>(() => Arena.ReplayAsync(file));

        Assert.Contains(nameof(ShopRoom), fault.Message, StringComparison.Ordinal);
    }
}
