using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Errors;

/// <summary>For each error code something that makes a server with its usual settings answer it. The others are in <see
/// cref="ErrorCodeTests"/>.</summary>
internal static class ErrorScenes
{
    /// <summary>Each takes the server and a player who is logged in, and fails with the code it stands for.</summary>
    public static IReadOnlyDictionary<ErrorCode, Func<ServerProcess, ChatClient, Task>> All { get; } =
        new Dictionary<ErrorCode, Func<ServerProcess, ChatClient, Task>>
        {
            [ErrorCode.LoginRequired] = static async (server, _) =>
            {
                await using ChatClient stranger = await Players.ConnectAsync(server);
                await stranger.ListRoomsAsync();
            },
            [ErrorCode.AlreadyLoggedIn] = static (_, player) => player.LoginAsync("somebody else"),
            [ErrorCode.NameInvalid] = static (server, _) => Players.LoginAsync(server, new string('가', ChatLimits.MaxPlayerNameChars + 1)),
            [ErrorCode.PasswordRequired] = static async (server, _) =>
            {
                await using ChatClient owner = await Players.LoginAsync(server, "has a password", "열려라 참깨");
                await Players.LoginAsync(server, "has a password");
            },
            [ErrorCode.LoginRefused] = static async (server, _) =>
            {
                await using ChatClient owner = await Players.LoginAsync(server, "has another password", "열려라 참깨");
                await Players.LoginAsync(server, "has another password", "열려라 들깨");
            },
            [ErrorCode.RoomNameInvalid] = static (_, player) => player.CreateRoomAsync("two\nlines"),
            [ErrorCode.RoomNotFound] = static (_, player) => player.JoinRoomAsync(long.MaxValue),
            [ErrorCode.NotInRoom] = static async (server, player) =>
            {
                await using ChatClient other = await Players.LoginAsync(server, "has a room");
                await player.ChatAsync((await other.CreateRoomAsync("private")).RoomId, "knock knock");
            },
            [ErrorCode.AlreadyInRoom] = static async (_, player) =>
                await player.JoinRoomAsync((await player.CreateRoomAsync("mine")).RoomId),
            [ErrorCode.NameUnknown] = static async (server, _) =>
            {
                await using ChatClient stranger = await Players.ConnectAsync(server);
                await stranger.LoginAsync(new CLoginReq { Name = "a typing eror", NoRegistration = true });
            },
            [ErrorCode.NameInUse] = static async (server, player) =>
            {
                List<ChatClient> devices = [];
                try
                {
                    while (devices.Count < 16) // the most that any server allows
                    {
                        devices.Add(await Players.ConnectAsync(server));
                        await devices[^1].LoginAsync(new CLoginReq { Name = player.Login!.Name, NoTakeover = true });
                    }
                }
                finally
                {
                    foreach (ChatClient device in devices)
                    {
                        await device.DisposeAsync();
                    }
                }
            },
            [ErrorCode.PlayerNotConnected] = static (_, player) => player.SendDirectAsync(playerId: long.MaxValue, "hi"),
            [ErrorCode.TextInvalid] = static async (_, player) =>
                await player.ChatAsync((await player.CreateRoomAsync("talkative")).RoomId, new string('a', ChatLimits.MaxTextBytes + 1)),
            [ErrorCode.MalformedPacket] = static (_, player) => player.ListRoomsAsync(limit: ChatLimits.MaxRoomsPerPage + 1),
        };
}
