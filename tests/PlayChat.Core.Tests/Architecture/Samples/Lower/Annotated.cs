using PlayChat.Core.Tests.Architecture.Samples.Upper;

namespace PlayChat.Core.Tests.Architecture.Samples.Lower;

[Top]
internal static class Annotated;
