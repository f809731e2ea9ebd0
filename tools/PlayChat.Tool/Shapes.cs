namespace PlayChat.Tool;

#pragma warning disable MA0048 // one model, read as a whole

/// <summary>What a value looks like as JSON.</summary>
internal abstract record Shape;

internal enum ScalarKind
{
    Text,
    Boolean,
    Number,

    /// <summary>A number, or one of the texts NaN, Infinity and -Infinity.</summary>
    NamedNumber,

    /// <summary>An integer that a number of JavaScript holds exactly.</summary>
    Integer,

    /// <summary>An integer that may need a bigint.</summary>
    Long,
    Decimal,
    Any,
}

/// <param name="Kind">What it is.</param>
/// <param name="Note">For people: what it means, such as "Base64".</param>
/// <param name="Format">The format in JSON Schema.</param>
internal sealed record Scalar(ScalarKind Kind, string? Note = null, string? Format = null) : Shape;

internal sealed record ListOf(Shape Item) : Shape;

/// <summary>A dictionary: an object with any names.</summary>
internal sealed record MapOf(Shape Value) : Shape;

internal sealed record OrNull(Shape Value) : Shape;

/// <summary>A shape with a name. Its parts are set once it is known to those that refer to it, so that it may contain itself.</summary>
internal abstract record Definition(string Name) : Shape
{
    // Two with the same parts are two: comparing parts would not end in a type that contains itself.
    public virtual bool Equals(Definition? other) => ReferenceEquals(this, other);

    public override int GetHashCode() => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);
}

/// <param name="Name">On the wire.</param>
/// <param name="Shape">Of its value.</param>
/// <param name="IsOptional">Whether it may be missing.</param>
/// <param name="Note">For people.</param>
internal sealed record Member(string Name, Shape Shape, bool IsOptional, string? Note);

internal sealed record ObjectType(string Name) : Definition(Name)
{
    public List<Member> Members { get; } = [];

    /// <summary>Whether it may have more members than these.</summary>
    public bool IsOpen { get; set; }
}

/// <param name="Name">In TypeScript.</param>
/// <param name="IsText">Whether values are names; else they are numbers.</param>
/// <param name="IsFlags">Whether values are combined; then only numbers have a type of their own.</param>
/// <param name="Values">The names on the wire, and their numbers.</param>
internal sealed record EnumType(string Name, bool IsText, bool IsFlags, IReadOnlyList<(string Name, long Value)> Values) : Definition(Name);

/// <summary>A message of several kinds, by [JsonDerivedType].</summary>
internal sealed record UnionType(string Name) : Definition(Name)
{
    public string Discriminator { get; set; } = "$type";

    /// <summary>The kinds, each with the text or number that names it; <see langword="null"/> for one that is not named.</summary>
    public List<(object? Value, ObjectType Type)> Kinds { get; } = [];
}

/// <summary>A name for another shape: a message that is a list.</summary>
internal sealed record AliasType(string Name, Shape Shape) : Definition(Name);

/// <param name="Id">On the wire.</param>
/// <param name="Message">Its message, whose name is the packet's.</param>
/// <param name="IsFailure">Whether it fails a request.</param>
internal sealed record Packet(int Id, Definition Message, bool IsFailure)
{
    public string Name => Message.Name;

    /// <summary>The answer to this request; <see langword="null"/> if it is no request, or none is declared.</summary>
    public Packet? Answer { get; set; }

    /// <summary>Whether clients send it.</summary>
    public bool IsSent { get; set; }

    /// <summary>Whether clients get it other than as an answer.</summary>
    public bool IsReceived { get; set; }
}

/// <summary>What a server and its clients say to each other.</summary>
/// <param name="Source">The name of the assembly's file.</param>
/// <param name="Version">Of the assembly.</param>
/// <param name="Packets">By rising id.</param>
/// <param name="Definitions">The messages, then what they contain, each by name.</param>
/// <param name="States">The classes with [SyncState], each before those that it contains.</param>
internal sealed record Contract(
    string Source,
    string Version,
    IReadOnlyList<Packet> Packets,
    IReadOnlyList<Definition> Definitions,
    IReadOnlyList<PlayChat.State.SyncType> States);
