namespace PlayChat.Storage.Sql;

/// <summary>How far a batch brings each of its rooms.</summary>
internal static class BatchPositions
{
    /// <returns>One a room, by rising id: two servers that raise the same rooms then take their locks in one order.</returns>
    public static IReadOnlyList<RoomPosition> Of(IReadOnlyList<ChatRecord> records)
    {
        var positions = new SortedDictionary<long, RoomPosition>();
        for (int i = 0; i < records.Count; i++)
        {
            ChatRecord record = records[i];
            if (!positions.TryGetValue(record.RoomId, out RoomPosition? known) || record.Sequence > known.LastSequence)
            {
                string? roomName = record.RoomName is null ? known?.RoomName : StorableText.From(record.RoomName);
                positions[record.RoomId] = new RoomPosition(record.RoomId, roomName, record.Sequence);
            }
        }
        return [.. positions.Values];
    }
}
