using System.Globalization;

namespace PlayChat.Simulation;

/// <summary>A rule that a world has broken.</summary>
/// <param name="Rule">Which rule.</param>
/// <param name="Details">What was seen.</param>
/// <param name="At">When, in simulated time.</param>
internal sealed record Finding(string Rule, string Details, TimeSpan At)
{
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Rule}: {Details} (at {At.TotalSeconds:F3} s)");
}
