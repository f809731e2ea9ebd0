namespace PlayChat.Storage;

/// <summary>The kind of subject that a ban names. The numbers are stored.</summary>
public enum BanKind
{
    /// <summary>The name of an account.</summary>
    Account = 0,

    /// <summary>A network of IP addresses.</summary>
    Network = 1,
}
