namespace PlayChat.Chat.Accounts;

/// <summary>The bans that a running server knows. Thread-safe: the table is replaced as a whole.</summary>
internal sealed class BanList(TimeProvider time)
{
    private volatile BanTable _table = new([]);

    public BanTable Table => _table;

    public void Replace(BanTable table) => _table = table;

    /// <inheritdoc cref="BanTable.FindName"/>
    public Ban? FindName(string name) => _table.FindName(name, time.GetUtcNow());

    /// <inheritdoc cref="BanTable.FindAddress"/>
    public Ban? FindAddress(EndPoint? peer) => _table.FindAddress(peer, time.GetUtcNow());
}
