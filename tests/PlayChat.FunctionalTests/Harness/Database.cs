using PlayChat.Storage;
using PlayChat.Storage.Sqlite;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>Looks into the database of a server that has stopped.</summary>
internal static class Database
{
    public static async Task<SqliteChatStore> OpenAsync(string path)
    {
        var store = new SqliteChatStore(new SqliteStoreOptions { Path = path });
        await store.InitializeAsync();
        return store;
    }

    /// <summary>Everything that was said in a room, by ascending sequence.</summary>
    public static async Task<List<ChatRecord>> ReadRoomAsync(IChatStore store, long roomId)
    {
        List<ChatRecord> all = [];
        IReadOnlyList<ChatRecord> page;
        do
        {
            page = await store.ReadChatAfterAsync(roomId, all.Count == 0 ? 0 : all[^1].Sequence, IChatStore.MaxReadLimit);
            all.AddRange(page);
        }
        while (page.Count == IChatStore.MaxReadLimit);
        return all;
    }
}
