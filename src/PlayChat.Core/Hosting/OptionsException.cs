namespace PlayChat.Core.Hosting;

/// <summary>A server was given settings that it cannot run with. The message names each key, its value and what is allowed.</summary>
public sealed class OptionsException : Exception
{
    /// <summary>Makes the exception.</summary>
    /// <param name="problems">One sentence a problem.</param>
    /// <param name="innerException">The cause, if there is one.</param>
    public OptionsException(IReadOnlyList<string> problems, Exception? innerException = null)
        : base(string.Join(Environment.NewLine, problems), innerException)
    {
        Problems = problems;
    }

    /// <summary>One sentence a problem.</summary>
    public IReadOnlyList<string> Problems { get; }
}
