namespace PlayChat.Recording.Tests;

/// <summary>What a replay makes of a file that is not whole.</summary>
public sealed class FileTests
{
    [Fact]
    public async Task A_torn_file_loses_its_last_turn_only()
    {
        using var folder = new Folder();
        byte[] whole = await File.ReadAllBytesAsync(await Shop.RecordAsync(folder));
        RoomReplayResult<ShopRoom> all = await ReplayAsync(whole);
        long turns = all.Turns;

        // A cut inside of the end, then inside of the last turns.
        for (int cut = 1; cut < 200; cut++)
        {
            RoomReplayResult<ShopRoom> torn = await ReplayAsync(whole[..^cut]);

            torn.ThrowIfDiverged();
            Assert.Equal(RecordingEnd.Unknown, torn.End);
            Assert.InRange(torn.Turns, turns - 1, turns);
            turns = torn.Turns;
        }
    }

    [Fact]
    public async Task A_wrong_checksum_ends_the_replay_before_the_damaged_turn()
    {
        using var folder = new Folder();
        byte[] whole = await File.ReadAllBytesAsync(await Shop.RecordAsync(folder));
        RoomReplayResult<ShopRoom> all = await ReplayAsync(whole);
        whole[^40] ^= 1;

        RoomReplayResult<ShopRoom> damaged = await ReplayAsync(whole);

        damaged.ThrowIfDiverged();
        Assert.Equal(RecordingEnd.Unknown, damaged.End);
        Assert.InRange(damaged.Turns, all.Turns - 5, all.Turns - 1);
    }

    [Fact]
    public async Task A_file_of_another_version_says_which()
    {
        using var folder = new Folder();
        byte[] whole = await File.ReadAllBytesAsync(await Shop.RecordAsync(folder));
        whole[4] = 9;

        RoomReplayException fault = await Assert.ThrowsAsync<RoomReplayException>(() => ReplayAsync(whole));

        Assert.Contains("format 9; this version reads 1", fault.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(8)]
    [InlineData(100)]
    public async Task A_file_without_a_whole_header_is_refused(int bytes)
    {
        using var folder = new Folder();
        byte[] whole = await File.ReadAllBytesAsync(await Shop.RecordAsync(folder));

        await Assert.ThrowsAsync<RoomReplayException>(() => ReplayAsync(whole[..bytes]));
    }

    [Fact]
    public async Task A_file_that_is_no_recording_is_refused() =>
        await Assert.ThrowsAsync<RoomReplayException>(() => ReplayAsync("# PlayChat"u8.ToArray()));

    [Fact]
    public async Task An_entry_that_is_not_whole_is_refused_under_a_right_checksum_as_well()
    {
        byte[] entry = [(byte)EntryKind.Header]; // and nothing of a header
        byte[] file =
            [.. RecordingFormat.Preamble, (byte)entry.Length, .. BitConverter.GetBytes(RecordingFormat.Checksum(entry)), .. entry];

        RoomReplayException fault = await Assert.ThrowsAsync<RoomReplayException>(() => ReplayAsync(file));

        Assert.Equal("The recording is damaged: an entry Header is not whole.", fault.Message);
    }

    private static async Task<RoomReplayResult<ShopRoom>> ReplayAsync(byte[] content)
    {
        using var folder = new Folder();
        string file = Path.Combine(folder.Path, "room.pcr");
        await File.WriteAllBytesAsync(file, content);
        return await Shop.ReplayAsync(file);
    }
}
