namespace PlayChat.Storage;

/// <summary>How <see cref="IChatStore.CreateAccountAsync"/> ended.</summary>
public enum CreateAccountStatus
{
    /// <summary>The account is new.</summary>
    Created = 0,

    /// <summary>Another account has this name, perhaps in other letter case. Nothing was changed.</summary>
    NameTaken = 1,
}
