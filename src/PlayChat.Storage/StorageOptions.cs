using System.Diagnostics.CodeAnalysis;
using PlayChat.Options;

namespace PlayChat.Storage;

/// <summary>Checks options against the ranges of their attributes.</summary>
internal static class StorageOptions
{
    /// <exception cref="StorageException">A value is out of range; the message names it, its value and what is allowed.</exception>
    internal static void Check<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(T options)
    {
        if (OptionRule.FindProblems(options, path: "").FirstOrDefault() is { } problem)
        {
            throw new StorageException(StorageErrorKind.InvalidOption, problem);
        }
    }
}
