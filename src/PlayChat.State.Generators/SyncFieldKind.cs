namespace PlayChat.Generators;

/// <summary>What a field holds.</summary>
internal enum SyncFieldKind
{
    Number,
    Quantized,
    Text,
    Object,
    List,
    Map,
}
