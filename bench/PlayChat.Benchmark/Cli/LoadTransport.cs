using System.Net;
using PlayChat.Benchmark.Failures;
using PlayChat.Core.Transport;
using PlayChat.Transport.Linux;

namespace PlayChat.Benchmark.Cli;

/// <summary>What moves the bytes of the load's connections, as the command line says.</summary>
/// <param name="Name">auto, linux or sockets.</param>
/// <param name="Threads">The threads that move bytes; 0 leaves them to the runtime.</param>
/// <param name="SourceAddresses">The addresses from 127.0.0.1 on that connections come from; 0 leaves them to the system.</param>
internal sealed record LoadTransport(string Name, int Threads, int SourceAddresses)
{
    /// <summary>The addresses of 127.0.0.0/24 but for the network's own and its broadcast.</summary>
    public const int MaxSourceAddresses = 254;

    /// <summary>Makes the transport.</summary>
    /// <exception cref="UsageException">This system does not have it, or not with these threads or addresses.</exception>
    public ITransport Create() => Name switch
    {
        "auto" => LinuxTransport.IsSupported ? CreateLoops() : CreateSockets(),
        "linux" when LinuxTransport.IsSupported => CreateLoops(),
        "linux" => throw new UsageException("--transport linux needs 64-bit Linux; sockets works everywhere."),
        "sockets" => CreateSockets(),
        _ => throw new UsageException($"--transport is '{Name}'; allowed is auto, linux or sockets."),
    };

    private LinuxTransport CreateLoops() => Threads == 0 && SourceAddresses == 0
        ? LinuxTransport.Shared
        : new LinuxTransport(new LinuxTransportOptions
        {
            Loops = Threads,
            SourceAddresses = [.. Enumerable.Range(1, SourceAddresses).Select(static last => new IPAddress([127, 0, 0, (byte)last]))],
        });

    private ITransport CreateSockets()
    {
        if (SourceAddresses > 0)
        {
            throw new UsageException("--source-addresses needs --transport linux, on 64-bit Linux.");
        }

        if (Threads > 0)
        {
            ThreadPool.GetMaxThreads(out _, out int ports);
            ThreadPool.SetMinThreads(Math.Min(Threads, Environment.ProcessorCount), 1);
            if (!ThreadPool.SetMaxThreads(Threads, ports) || !ThreadPool.SetMinThreads(Threads, 1))
            {
                throw new UsageException(
                    $"--load-threads is {Threads}; with --transport sockets it is at least the number of processors, "
                    + $"{Environment.ProcessorCount}.");
            }
        }

        return SocketTransport.Instance;
    }
}
