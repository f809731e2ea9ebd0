using System.Runtime.CompilerServices;

// What derives from Core's internal types is internal as well.
[assembly: InternalsVisibleTo("PlayChat.Core.Tests")]
[assembly: InternalsVisibleTo("PlayChat.MicroBenchmarks")]
[assembly: InternalsVisibleTo("PlayChat.Testing.Tests")]
