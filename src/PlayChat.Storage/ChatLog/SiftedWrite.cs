namespace PlayChat.Storage.ChatLog;

/// <summary>Writes a batch without the records that the sink refuses for good, so that such a record costs itself and no other.</summary>
/// <remarks>
/// A sink that refuses a batch does not say which record is at fault, so the batch is halved until that record is alone. The order stays.
/// Other failures end the write; the records that were written by then are written again, which a database recognizes. So does a sink that
/// refuses all of several records: that is rather a fault of its table, and none of them is left out before it is mended.
/// </remarks>
internal static class SiftedWrite
{
    /// <param name="records">The batch, not empty.</param>
    /// <param name="write">Writes some of its records.</param>
    /// <returns>How many records the sink has added, and those that it refuses, in order.</returns>
    /// <exception cref="StorageException">The sink failed, or refuses each of several records.</exception>
    public static async Task<(int Added, List<(ChatRecord Record, StorageException Reason)> Refused)> RunAsync(
        IReadOnlyList<ChatRecord> records, Func<IReadOnlyList<ChatRecord>, Task<int>> write)
    {
        List<(ChatRecord Record, StorageException Reason)> refused = [];
        int added = await RunAsync(records, write, refused).ConfigureAwait(false);
        if (records.Count > 1 && refused.Count == records.Count)
        {
            throw refused[0].Reason;
        }

        return (added, refused);
    }

    private static async Task<int> RunAsync(
        IReadOnlyList<ChatRecord> records,
        Func<IReadOnlyList<ChatRecord>, Task<int>> write,
        List<(ChatRecord Record, StorageException Reason)> refused)
    {
        try
        {
            return await write(records).ConfigureAwait(false);
        }
        catch (StorageException exception) when (exception.Kind is StorageErrorKind.RefusedValue or StorageErrorKind.TooLong)
        {
            if (records.Count == 1)
            {
                refused.Add((records[0], exception));
                return 0;
            }
        }

        int half = records.Count / 2;
        return await RunAsync(records.Take(half).ToArray(), write, refused).ConfigureAwait(false)
            + await RunAsync(records.Skip(half).ToArray(), write, refused).ConfigureAwait(false);
    }
}
