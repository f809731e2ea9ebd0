namespace PlayChat.Storage.Sql;

/// <summary>Prepares batches for databases that can't change a row twice in one statement.</summary>
/// <remarks>Two nodes may write the changes of one message in the wrong order, and a node writes those of a lost one again. Therefore a
/// change doesn't replace a later one, and none replaces a deletion. The statements of each database say the same.</remarks>
internal static class ChatEdits
{
    /// <summary>Whether a batch changes messages that may be stored already.</summary>
    public static bool Has(IReadOnlyList<ChatRecord> records)
    {
        for (int i = 0; i < records.Count; i++)
        {
            if (records[i].EditedAt is not null)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>A batch with one record for each message that it changes: as it was said first, with the newest text.</summary>
    public static IReadOnlyList<ChatRecord> Merge(IReadOnlyList<ChatRecord> records)
    {
        if (!Has(records))
        {
            return records;
        }

        var places = new Dictionary<(long, long), int>(records.Count);
        List<ChatRecord> merged = new(records.Count);
        foreach (ChatRecord record in records)
        {
            if (places.TryAdd((record.RoomId, record.Sequence), merged.Count))
            {
                merged.Add(record);
            }
            else if (places[(record.RoomId, record.Sequence)] is var place && Replaces(record, merged[place]))
            {
                merged[place] = merged[place] with { Text = record.Text, EditedAt = record.EditedAt };
            }
        }

        return merged;
    }

    private static bool Replaces(in ChatRecord record, in ChatRecord known) =>
        record.EditedAt is { } at && known.Text.Length > 0 && (record.Text.Length == 0 || known.EditedAt is null || at >= known.EditedAt);
}
