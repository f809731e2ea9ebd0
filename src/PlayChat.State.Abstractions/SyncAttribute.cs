namespace PlayChat.State;

/// <summary>Marks a private field that clients see. Assign to the generated property: <c>_score</c> becomes <c>Score</c>.</summary>
/// <remarks>
/// The field is a number, a <see cref="bool"/>, an enum, a <see cref="string"/>, an object of a class with
/// <see cref="SyncStateAttribute"/>, or a readonly <see cref="SyncList{T}"/> or <see cref="SyncMap{TKey, TValue}"/> with an initializer.
/// </remarks>
/// <param name="number">
/// The field's number: 1 to 65,535, unique in the class. Clients know the field by it, so never change it, and never use it again for
/// another field (<see cref="SyncStateAttribute.Removed"/>).
/// </param>
[AttributeUsage(AttributeTargets.Field)]
public sealed class SyncAttribute(int number) : Attribute
{
    /// <summary>The field's number.</summary>
    public int Number => number;

    /// <summary>
    /// For <see cref="float"/> and <see cref="double"/>, also in lists and maps: the digits behind the point that clients get, 0 to 9. A
    /// change that they would not see is not sent. Default: exact.
    /// </summary>
    public int Decimals { get; set; } = -1;

    /// <summary>For <see cref="float"/> and <see cref="double"/>: with <see cref="Bits"/>, the lowest value. A lower one is sent as
    /// this.</summary>
    public double Min { get; set; }

    /// <summary>With <see cref="Bits"/>, the highest value. A higher one is sent as this.</summary>
    public double Max { get; set; }

    /// <summary>Sends the value as one of 2^bits steps from <see cref="Min"/> to <see cref="Max"/>: 1 to 32. Default: exact.</summary>
    public int Bits { get; set; }

    /// <summary>
    /// Whether only members see it to whose view the object was added (<see cref="StateView.Show(SyncObject)"/>). In a map of objects, each
    /// object is seen by the members to whose view that object was added. Default false: everybody sees it.
    /// </summary>
    public bool Viewed { get; set; }
}
