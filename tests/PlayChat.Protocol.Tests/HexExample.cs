namespace PlayChat.Protocol.Tests;

/// <summary>One block of bytes in PROTOCOL.md, and what it is said to mean.</summary>
/// <param name="LineNumber">Where it begins, from 1.</param>
/// <param name="Format">The name of its framing.</param>
/// <param name="Bytes">The bytes.</param>
/// <param name="Meaning">What stands behind the arrow.</param>
internal sealed record HexExample(int LineNumber, string Format, byte[] Bytes, string Meaning);
