using System.Globalization;

namespace PlayChat.RoomProbe;

/// <summary>What the players of a room felt during one measurement. Times in milliseconds.</summary>
/// <param name="Deliveries">How many messages reached a listener in order.</param>
/// <param name="Lost">How many did not, all listeners together.</param>
/// <param name="Disconnected">How many players are not connected at the end.</param>
/// <param name="Median">From the speaker to a listener: half of the deliveries were as fast.</param>
/// <param name="Percentile99">99 of 100 deliveries were as fast.</param>
/// <param name="Max">The slowest delivery.</param>
/// <param name="Logins">How many logins another player began.</param>
/// <param name="LoginsInTime">How many of them succeeded within 2 seconds, the goal.</param>
/// <param name="SlowestLogin">The slowest login that succeeded.</param>
/// <param name="FailedLogin">Why a login failed; null if none did.</param>
internal sealed record RoomReport(
    int Deliveries,
    int Lost,
    int Disconnected,
    double Median,
    double Percentile99,
    double Max,
    int Logins,
    int LoginsInTime,
    double SlowestLogin,
    string? FailedLogin)
{
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Deliveries} deliveries, {Lost} lost, p50 {Median:F2} ms, p99 {Percentile99:F2} ms, max {Max:F2} ms, "
            + $"{LoginsInTime} of {Logins} logins in time, the slowest in {SlowestLogin:F0} ms");
}
