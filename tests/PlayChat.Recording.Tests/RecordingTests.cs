using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Testing;
using PlayChat.TestUtilities;

namespace PlayChat.Recording.Tests;

public sealed class RecordingTests
{
    [Fact]
    public async Task A_recording_ends_at_its_bound_of_bytes_and_the_room_goes_on()
    {
        using var folder = new Folder();
        await using Shop shop = await Shop.StartAsync(
            folder, static options => options.Limits = new RecordingLimits { MaxBytes = 8192 });
        RoomRecording recording = Assert.Single(shop.Recordings.Running);
        HarnessClient ada = await shop.EnterAsync("ada");

        await BuyUntilAsync(shop, ada, recording);
        RecordingResult result = await recording.Completion;
        await shop.SendAsync(ada, new Buy(0));

        Assert.Equal(RecordingEnd.MaxBytes, result.End);
        Assert.InRange(result.Bytes, 7000, 8192);
        Assert.Equal(result.Bytes, new FileInfo(result.Path).Length);
        Assert.Equal(0, ada.Received<Bought>()[^1].Count);
        Assert.Empty(shop.Recordings.Running);
        RoomReplayResult<ShopRoom> replay = await Shop.ReplayAsync(result.Path);
        replay.ThrowIfDiverged();
        Assert.Equal(RecordingEnd.MaxBytes, replay.End);
    }

    [Fact]
    public async Task A_recording_ends_after_its_longest_time()
    {
        using var folder = new Folder();
        await using Shop shop = await Shop.StartAsync(
            folder, static options => options.Limits = new RecordingLimits { MaxDuration = TimeSpan.FromSeconds(10) });
        RoomRecording recording = Assert.Single(shop.Recordings.Running);

        await shop.AdvanceAsync(12);
        RecordingResult result = await recording.Completion.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(RecordingEnd.MaxDuration, result.End);
    }

    [Fact]
    public async Task A_full_disk_ends_the_recording_and_the_room_goes_on()
    {
        using var folder = new Folder();
        await using Shop shop = await Shop.StartAsync(
            folder, static options => options.Open = static _ => new FullDisk(freeBytes: 4096));
        RoomRecording recording = Assert.Single(shop.Recordings.Running);
        HarnessClient ada = await shop.EnterAsync("ada");

        await BuyUntilAsync(shop, ada, recording);
        RecordingResult result = await recording.Completion;
        await shop.SendAsync(ada, new Buy(0));
        await shop.SendAsync(ada, new Buy(0));

        Assert.Equal((RecordingEnd.WriteFailed, FullDisk.Problem), (result.End, result.Error));
        Assert.Null(shop.Room.Tape);
        Assert.Equal(0, ada.Received<Bought>()[^1].Count);
    }

    [Fact]
    public async Task A_disk_that_is_too_slow_ends_the_recording_and_the_room_goes_on()
    {
        using var folder = new Folder();
        var disk = new StoppedDisk();
        await using Shop shop = await Shop.StartAsync(folder, options => options.Open = _ => disk);
        RoomRecording recording = Assert.Single(shop.Recordings.Running);
        HarnessClient ada = await shop.EnterAsync("ada");
        string text = new('x', 40_000);

        for (int i = 0; i < 200 && shop.Room.Tape is not null; i++)
        {
            await shop.SendAsync(ada, new Whisper(text));
        }

        disk.Release();
        RecordingResult result = await recording.Completion.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(RecordingEnd.DiskTooSlow, result.End);
        await shop.SendAsync(ada, new Buy(0));
        Assert.Equal(0, ada.Received<Bought>()[^1].Count);
    }

    [Fact]
    public async Task What_can_be_read_but_not_written_is_named_in_the_file_and_the_room_goes_on()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder);
        HarnessClient ada = await shop.Harness.ConnectAsync();

        JoinResult<Shopper> join = await shop.Room.JoinAsync(ada.Session, new Enter("ada", double.NaN));
        await shop.Room.PostAsync(ShopRoom.Delivered, new Delivery(2, Weight: double.NegativeInfinity));
        ada.Send("""{"Amount":1e999}"""u8, new FrameHeader(8));
        Paid paid = await ada.RequestAsync<Paid>(new Pay("corner ", "", 0));
        Stock stock = ada.Received<Stock>()[^1];
        string content = Encoding.Latin1.GetString(await File.ReadAllBytesAsync(await shop.StopAsync(folder)));

        Assert.True(join.IsJoined);
        Assert.Equal(("corner ada", double.PositiveInfinity), (paid.Name, shop.Room.Tips));
        Assert.Equal(new Stock(12), stock);
        Assert.Contains("a join (its argument cannot be written: ArgumentException)", content, StringComparison.Ordinal);
        Assert.Contains("The job delivered (its content cannot be written: ArgumentException)", content, StringComparison.Ordinal);
        Assert.Contains("The handler of Tip (its content cannot be written: ArgumentException)", content, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_room_is_recorded_once_at_a_time()
    {
        using var folder = new Folder();
        await using Shop shop = await Shop.StartAsync(folder, records: false);
        RoomRecording first = await shop.Recordings.StartAsync(ShopRoom.Title);

        await Assert.ThrowsAsync<InvalidOperationException>(() => shop.Recordings.StartAsync(ShopRoom.Title));
        await first.StopAsync();
        RoomRecording second = await shop.Recordings.StartAsync(ShopRoom.Title);

        Assert.NotEqual(first.Path, second.Path, StringComparer.Ordinal);
        Assert.Equal(2, folder.Files.Count); // none of the attempt that failed
        Assert.Equal(RecordingEnd.Stopped, (await second.StopAsync()).End);
    }

    [Fact]
    public async Task A_room_that_does_not_exist_and_a_folder_that_cannot_be_made_are_errors_of_the_caller()
    {
        using var folder = new Folder();
        string file = Path.Combine(folder.Path, "file");
        await File.WriteAllTextAsync(file, "");
        await using Shop shop = await Shop.StartAsync(folder, options => options.Folder = file, records: false);

        await Assert.ThrowsAsync<InvalidOperationException>(() => shop.Recordings.StartAsync("no such room"));
        await Assert.ThrowsAnyAsync<IOException>(() => shop.Recordings.StartAsync(ShopRoom.Title));
    }

    [Fact]
    public async Task Rooms_beyond_the_largest_number_of_recordings_run_unrecorded()
    {
        using var folder = new Folder();
        await using Shop shop = await Shop.StartAsync(folder, static options => options.MaxRecordings = 1);

        ShopRoom second = shop.Harness.Server.Rooms.Create("second", static context => new ShopRoom(context));

        Assert.Null(second.Tape);
        Assert.Equal(ShopRoom.Title, Assert.Single(shop.Recordings.Running).RoomName);
    }

    [Theory]
    [InlineData(4095, 1)]
    [InlineData(4096, 0)]
    public void Limits_outside_of_their_range_are_refused(long bytes, int seconds)
    {
        var limits = new RecordingLimits { MaxBytes = bytes, MaxDuration = TimeSpan.FromSeconds(seconds) };

        Assert.Throws<ArgumentOutOfRangeException>(() => new RoomRecordings(options => options.Limits = limits));
    }

    private static async Task BuyUntilAsync(Shop shop, HarnessClient client, RoomRecording recording)
    {
        for (int i = 1; shop.Room.Tape is not null; i++)
        {
            await shop.SendAsync(client, new Buy(i));
        }

        await recording.Completion.WaitAsync(TestTimeouts.Hang);
    }
}
