namespace PlayChat.TestUtilities;

/// <summary>How long a test waits for something that must happen.</summary>
public static class TestTimeouts
{
    /// <summary>A guard against hanging, not a measure: far longer than anything takes on a loaded machine. 2 minutes.</summary>
    public static readonly TimeSpan Hang = TimeSpan.FromMinutes(2);
}
