namespace PlayChat.Generators;

/// <summary>How a type's values are written.</summary>
/// <param name="Type">The type, as generated code writes it.</param>
/// <param name="Spec">An expression of its SyncSpec.</param>
/// <param name="Writer">The name behind StateWriter.Write.</param>
/// <param name="Cast">The cast to that method's argument.</param>
/// <param name="ToValue">An expression that makes a SyncValue of <c>v</c>.</param>
/// <param name="FromValue">An expression that makes a value of the SyncValue <c>value</c>.</param>
/// <param name="Steps">An expression of the steps of a quantized number <c>{0}</c>.</param>
internal sealed record SyncForm(
    string Type, string Spec, string Writer, string Cast, string ToValue, string FromValue, string? Steps = null)
{
    private const string Package = "global::PlayChat.State.";

    public bool IsObject => Writer == "Object";

    public static SyncForm OfNumber(string type, string kind, string writer, string cast, string from) => new(
        type,
        $"{Package}SyncSpec.{kind}",
        writer,
        cast,
        $"{Package}SyncValue.Of({(kind is "Float" or "Double" ? "(double)v" : kind == "Signed" ? "(long)v" : "(ulong)v")})",
        from);
}
