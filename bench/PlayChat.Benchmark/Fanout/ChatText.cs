using System.Runtime.InteropServices;

namespace PlayChat.Benchmark.Fanout;

/// <summary>The fields at the start of every text of the load.</summary>
/// <param name="Sender">The sender's index in the run.</param>
/// <param name="Number">The sender's own number of the message, from 0.</param>
/// <param name="PlannedNanoseconds">The planned time of sending, on the run's clock.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct ChatText(int Sender, int Number, long PlannedNanoseconds)
{
    /// <summary>The size of the fields: no text of the load is shorter.</summary>
    public const int MinBytes = 40;
}
