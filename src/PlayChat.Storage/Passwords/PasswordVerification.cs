namespace PlayChat.Storage.Passwords;

/// <summary>The result of a password check.</summary>
public enum PasswordVerification
{
    /// <summary>The password is wrong, or there is nothing it could fit.</summary>
    Failed = 0,

    /// <summary>The password is right.</summary>
    Succeeded = 1,

    /// <summary>The password is right, and its stored hash is weaker than new ones: hash it again and store that.</summary>
    SucceededRehashNeeded = 2,
}
