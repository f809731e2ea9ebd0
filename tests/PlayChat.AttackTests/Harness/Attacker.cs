using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using PlayChat.TestUtilities.Hostile;

namespace PlayChat.AttackTests.Harness;

/// <summary>A thread that attacks as fast as it can, over sockets of its own or TLS on them.</summary>
internal sealed class Attacker
{
    private readonly AttackPlan _plan;

    private Attacker(AttackPlan plan, int number)
    {
        _plan = plan;
        Number = number;
        Hostile = new HostileFrames(number);
        Source = IPAddress.Parse(plan.OneAddress ? "127.0.1.1" : $"127.0.{1 + (number / 250)}.{1 + (number % 250)}");
    }

    /// <summary>Which attacker this is, from 1 on.</summary>
    public int Number { get; }

    /// <summary>Bytes to send; its randomness decides.</summary>
    public HostileFrames Hostile { get; }

    /// <summary>Where this attacker connects from: a loopback address of its own.</summary>
    public IPAddress Source { get; }

    /// <summary>Whether the attack has ended.</summary>
    public bool IsOver => _plan.IsOver;

    /// <summary>Runs attackers until the plan is over.</summary>
    /// <returns>How many connections they made.</returns>
    public static async Task<long> RunAsync(AttackPlan plan, int attackers, Action<Attacker, Stream> behave)
    {
        await Task.WhenAll(Enumerable.Range(1, attackers).Select(number => Task.Factory.StartNew(
            () => new Attacker(plan, number).Run(behave), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
        return plan.Begun;
    }

    /// <summary>Reads until the server has ended the connection.</summary>
    /// <exception cref="IOException">It has reset the connection.</exception>
    public static void ReadToEnd(Stream stream)
    {
        Span<byte> buffer = stackalloc byte[4096];
        while (stream.Read(buffer) > 0)
        {
        }
    }

    private void Run(Action<Attacker, Stream> behave)
    {
        while (_plan.TryBegin())
        {
            try
            {
                using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
                {
                    NoDelay = true,
                    // The hang guard: a server that neither reads nor closes fails the test by a missing end, not by a test that hangs.
                    SendTimeout = (int)TestTimeouts.Hang.TotalMilliseconds,
                    ReceiveTimeout = (int)TestTimeouts.Hang.TotalMilliseconds,
                    LingerState = new LingerOption(enable: true, seconds: 0), // tens of thousands of connections leave no TIME_WAIT behind
                };
                socket.Bind(new IPEndPoint(Source, 0));
                socket.Connect(new IPEndPoint(IPAddress.Loopback, _plan.Port));
                using Stream stream = Open(socket);
                behave(this, stream);
            }
            catch (Exception e) when (e is SocketException or IOException or AuthenticationException)
            {
                // The server has refused or closed the connection: what it is there for.
            }
        }
    }

    private Stream Open(Socket socket)
    {
        var plain = new NetworkStream(socket);
        if (_plan.Certificate is not { } certificate)
        {
            return plain;
        }

        var stream = new SslStream(plain, leaveInnerStreamOpen: false);
        stream.AuthenticateAsClient(new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            RemoteCertificateValidationCallback = certificate.IsMine,
        });
        return stream;
    }
}
