using System.Diagnostics.CodeAnalysis;
using PlayChat.Options;

namespace PlayChat.Storage;

/// <summary>Checks options against the ranges of their attributes.</summary>
internal static class StorageOptions
{
    /// <exception cref="StorageException">A value is out of range; the message names it, its value and the range.</exception>
    internal static void Check<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(T options)
    {
        foreach (OptionRule rule in OptionRule.Of(typeof(T)))
        {
            object value = rule.Property.GetValue(options)!;
            if (value is not string && !rule.Allows(value))
            {
                string allowed = value is Enum ? rule.Allowed : $"from {rule.Option.Min} to {rule.Option.Max}";
                throw new StorageException(
                    StorageErrorKind.InvalidOption, FormattableString.Invariant($"{rule.Property.Name} is {value}: it must be {allowed}."));
            }
        }
    }
}
