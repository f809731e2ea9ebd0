using PlayChat.Client.Interaction;
using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>/account: lists the player's devices, logs one out, and changes the password.</summary>
internal sealed class AccountScreen(IUserInterface ui, ChatClient client)
{
    private const string Usage =
        "/account lists your devices. /account logout NUMBER logs one out. /account password changes your password.";

    public async Task RunAsync(string argument, CancellationToken cancellationToken)
    {
        string[] words = argument.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        switch (words)
        {
            case []:
                await ListAsync(cancellationToken);
                break;
            case ["logout", var number] when long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out long id):
                await client.EndDeviceAsync(id, cancellationToken);
                Tell($"Device {id} is logged out.");
                break;
            case ["password"]:
                await ChangePasswordAsync(cancellationToken);
                break;
            default:
                ui.Write(new ScreenLine(LineKind.Warning, Usage));
                break;
        }
    }

    private async Task ListAsync(CancellationToken cancellationToken)
    {
        SListDevicesRes answer = await client.ListDevicesAsync(cancellationToken);
        IEnumerable<string[]> rows = answer.Devices.Select(static device => new[]
        {
            device.DeviceId.ToString(CultureInfo.InvariantCulture),
            device.ClientVersion,
            DateTimeOffset.FromUnixTimeMilliseconds(device.SinceUnixMs).ToLocalTime().ToString("g", CultureInfo.CurrentCulture),
            device.IsThis ? "this device" : device.Away ? "connection lost" : device.Address,
        });
        LineFormat.Table([["Device", "Program", "Since", ""], .. rows]).ToList().ForEach(line => ui.Write(line));
    }

    private async Task ChangePasswordAsync(CancellationToken cancellationToken)
    {
        string? old = await AskAsync("Old password (Enter alone if you have none): ", cancellationToken);
        string? next = old is null ? null : await AskAsync("New password: ", cancellationToken);
        if (next is not { Length: > 0 } || await AskAsync("New password again: ", cancellationToken) != next)
        {
            ui.Write(new ScreenLine(LineKind.Warning, "The password was not changed: the new ones are not the same, or empty."));
            return;
        }

        await client.ChangePasswordAsync(old!, next, cancellationToken);
        Tell("Your password was changed. Your other devices are logged out.");
    }

    private Task<string?> AskAsync(string label, CancellationToken cancellationToken) =>
        ui.ReadLineAsync(new InputPrompt(label, IsSecret: true), cancellationToken);

    private void Tell(string text) => ui.Write(new ScreenLine(LineKind.Info, text));
}
