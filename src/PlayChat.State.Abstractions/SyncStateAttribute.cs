namespace PlayChat.State;

/// <summary>Marks a class whose fields with <see cref="SyncAttribute"/> are kept in step with a copy at each client.</summary>
/// <remarks>
/// The class is <c>partial</c>, is not generic, has a constructor without parameters, and derives from nothing else: the generator makes it
/// a <see cref="SyncObject"/> and writes a property for each field.
/// </remarks>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class SyncStateAttribute : Attribute
{
    /// <summary>
    /// Numbers of fields that the class once had. The generator refuses a field with such a number, so that an old client never reads a new
    /// field as the removed one.
    /// </summary>
    public int[] Removed { get; set; } = [];
}
