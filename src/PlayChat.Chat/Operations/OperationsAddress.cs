using PlayChat.Addresses;

namespace PlayChat.Chat.Operations;

/// <summary>Checks the settings of the operations endpoint.</summary>
internal static class OperationsAddress
{
    /// <summary>Checks the settings, whether or not the endpoint is enabled, and finds where it listens.</summary>
    /// <exception cref="StartException">A value is invalid, or other machines would reach the endpoint without TLS or token.</exception>
    public static IPEndPoint Check(OperationsSettings settings)
    {
        if (!ListenAddress.TryParse(settings.Address, out IPEndPoint? endPoint))
        {
            throw new StartException(
                $"Operations:Address is '{settings.Address}'; allowed is an IP address with a port, such as 127.0.0.1:7781, [::1]:7781, "
                    + "or *:7781 for every address.");
        }

        if (settings.Token.Length > 0)
        {
            _ = OperationsToken.Read(settings);
        }

        _ = OperationsKey.Read(settings);
        foreach ((string name, string file) in new[]
        {
            (nameof(settings.CertificatePath), settings.CertificatePath), (nameof(settings.KeyPath), settings.KeyPath),
        })
        {
            if (file.Length > 0 && !File.Exists(file))
            {
                throw new StartException($"Operations:{name} is '{file}'; there is no such file.");
            }
        }

        if (settings.KeyPath.Length > 0 && settings.CertificatePath.Length == 0)
        {
            throw new StartException(
                $"Operations:KeyPath is '{settings.KeyPath}', but Operations:CertificatePath is not set, so there would be no TLS; set it, "
                    + "or remove the key.");
        }

        if (settings.Enabled && !IPAddress.IsLoopback(endPoint.Address)
            && ((settings.Token.Length == 0 && settings.TokenFile.Length == 0) || settings.CertificatePath.Length == 0))
        {
            throw new StartException(
                $"Operations:Address is '{settings.Address}', which other machines can reach. Set Operations:Token or "
                    + "Operations:TokenFile, and Operations:CertificatePath, or listen on 127.0.0.1.");
        }

        return endPoint;
    }

    /// <summary>Checks that no endpoint of the chat needs the port of the operations endpoint.</summary>
    /// <exception cref="StartException">One does.</exception>
    public static void CheckPort(OperationsSettings settings, IList<EndpointOptions> endpoints)
    {
        for (int i = 0; settings is { Enabled: true, Descriptor: null } && i < endpoints.Count; i++)
        {
            if (ListenAddress.Overlap(settings.Address, endpoints[i].Address))
            {
                throw new StartException(
                    $"Operations:Address is '{settings.Address}', which PlayChat:Endpoints:{i}:Address ('{endpoints[i].Address}') has "
                        + "already; choose another port, or set Operations:Enabled=false.");
            }
        }
    }
}
