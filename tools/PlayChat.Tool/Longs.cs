namespace PlayChat.Tool;

/// <summary>How 64-bit integers are seen in TypeScript.</summary>
internal enum Longs
{
    BigInt,
    String,
    Number,
}
