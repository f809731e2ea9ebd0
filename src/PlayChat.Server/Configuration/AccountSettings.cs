namespace PlayChat.Server.Configuration;

/// <summary>Section <c>Accounts</c>.</summary>
internal sealed class AccountSettings
{
    public bool AutoRegister { get; set; }

    public PasswordlessPolicy AllowPasswordless { get; set; }

    public int PasswordIterations { get; set; }

    public int PasswordConcurrency { get; set; }

    public int MaxPendingPasswords { get; set; }

    public int RegistrationsPerMinute { get; set; }

    public int FailedLoginsPerName { get; set; }

    public int FailedLoginsPerAddress { get; set; }

    public TimeSpan FailedLoginWindow { get; set; }

    public int FailedLoginEntries { get; set; }
}
