namespace PlayChat.Storage;

/// <summary>The kinds of operations that the metrics of a store distinguish.</summary>
public enum StoreOperation
{
    /// <summary>Bringing the schema up to date.</summary>
    Migrate = 0,

    /// <summary>Looking for an account or its tokens, or listing accounts or bans.</summary>
    ReadAccount = 1,

    /// <summary>Creating or changing an account, its tokens or a ban.</summary>
    WriteAccount = 2,

    /// <summary>Adding a batch to the chat log.</summary>
    AppendChat = 3,

    /// <summary>Reading the chat log.</summary>
    ReadChat = 4,

    /// <summary>Looking for rooms.</summary>
    ReadRoom = 5,

    /// <summary>Saving a room.</summary>
    WriteRoom = 6,

    /// <summary>Deleting old records of the chat log, or emptying the texts of a player.</summary>
    DeleteChat = 7,
}
