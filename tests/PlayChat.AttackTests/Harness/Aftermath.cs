using System.Text.Json;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests.Harness;

/// <summary>The state of a server after an attack.</summary>
internal static class Aftermath
{
    // A server at rest has about 100 MB; an attack that is not bounded takes gigabytes in seconds.
    private const long MaxWorkingSetBytes = 512L * 1024 * 1024;
    private const long MaxLogBytes = 512 * 1024;

    // What a player may cost: MaxOutboundBytes, and the lines of its registration, login and end.
    private const long BytesOfPlayer = 1024 * 1024;
    private const long LogBytesOfPlayer = 1024;

    /// <summary>Asserts that the process lives, that only the room beside is connected, that a player can log in and talk, and that
    /// memory and log are bounded.</summary>
    /// <param name="server">The server that was attacked.</param>
    /// <param name="room">The room beside the attack.</param>
    /// <param name="certificate">What the server shows, where it speaks TLS.</param>
    /// <param name="players">How many players the attackers had, each of which may cost a bounded amount.</param>
    /// <returns>The server's figures.</returns>
    public static async Task<JsonElement> AssertUnharmedAsync(
        ServerProcess server, RoomBeside room, TestCertificate? certificate = null, int players = 0)
    {
        Assert.False(server.Program.Exited.IsCompleted, server.Program.Describe());
        JsonElement figures = await server.WaitForFiguresAsync(
            figures => ServerProcess.Figure(figures, "now", "connections") == room.Members);
        await using (ChatClient late = await Ordinary.LoginAsync(server, "late", certificate))
        {
            await late.JoinRoomAsync(room.RoomId);
            await late.ChatAsync(room.RoomId, "good evening");
        }

        Assert.Equal(0, ServerProcess.Figure(figures, "total", "handler_faults"));
        Assert.InRange(
            ServerProcess.Figure(figures, "process", "peak_working_set_bytes"), 1, MaxWorkingSetBytes + (players * BytesOfPlayer));
        Assert.InRange(LogBytes(server), 0, MaxLogBytes + (players * LogBytesOfPlayer));
        Assert.DoesNotContain(server.Program.OutputLines, static line => line.Contains(" ERR ", StringComparison.Ordinal));
        return figures;
    }

    /// <summary>Bytes of the server's log, console and files together.</summary>
    public static long LogBytes(ServerProcess server) =>
        server.Program.OutputLines.Sum(static line => (long)line.Length)
        + Directory.EnumerateFiles(Path.Combine(server.Directory, "logs"), "playchat-*").Sum(static file => new FileInfo(file).Length);
}
