namespace PlayChat.Client.Screens;

/// <summary>/account: lists the player's devices, logs one out, and changes the password.</summary>
internal sealed class AccountScreen(ChatSession session)
{
    private const string Usage =
        "/account lists your devices. /account logout NUMBER logs one out. /account password changes your password.";

    public async Task RunAsync(string argument)
    {
        switch (argument.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            case []:
                await ListAsync();
                break;
            case ["logout", var number] when long.TryParse(number, CultureInfo.InvariantCulture, out long id):
                await session.Client.EndDeviceAsync(id, session.Stop);
                session.Tell($"Device {id} is logged out.");
                break;
            case ["password"]:
                await ChangePasswordAsync();
                break;
            default:
                session.TellUnsent(Usage);
                break;
        }
    }

    private async Task ListAsync()
    {
        SListDevicesRes answer = await session.Client.ListDevicesAsync(session.Stop);
        IEnumerable<string[]> rows = answer.Devices.Select(static device => new[]
        {
            device.DeviceId.ToString(CultureInfo.InvariantCulture),
            device.ClientVersion,
            DateTimeOffset.FromUnixTimeMilliseconds(device.SinceUnixMs).ToLocalTime().ToString("g", CultureInfo.CurrentCulture),
            device.IsThis ? "this device" : device.Offline ? "offline" : device.Away ? "connection lost" : device.Address,
        });
        session.TellTable([["Device", "Program", "Since", ""], .. rows]);
    }

    private async Task ChangePasswordAsync()
    {
        string? old = await session.AskSecretAsync("Old password (Enter alone if you have none): ");
        string? next = old is null ? null : await session.AskSecretAsync("New password: ");
        if (next is not { Length: > 0 } || await session.AskSecretAsync("New password again: ") != next)
        {
            session.TellUnsent("The password was not changed: the new ones are not the same, or empty.");
            return;
        }

        await session.Client.ChangePasswordAsync(old!, next, session.Stop);
        session.Tell("Your password was changed. Your other devices are logged out.");
    }
}
