using System.Runtime.InteropServices;

namespace PlayChat.Benchmark.Chat;

/// <summary>What a text of the load says about itself.</summary>
/// <param name="Sender">The sender's index in the run.</param>
/// <param name="Number">The sender's own count, from 0.</param>
/// <param name="PlannedNanoseconds">When it was to be sent, on the run's clock.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct ChatText(int Sender, int Number, long PlannedNanoseconds)
{
    /// <summary>What the fields take; no text of the load is shorter.</summary>
    public const int MinBytes = 40;
}
