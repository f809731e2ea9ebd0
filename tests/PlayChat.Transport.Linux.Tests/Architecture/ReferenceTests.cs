using System.Reflection;
using System.Runtime.CompilerServices;
using PlayChat.Core.Framing;

namespace PlayChat.Transport.Linux.Tests.Architecture;

public sealed class ReferenceTests
{
    [Fact]
    public void The_transport_references_Core_the_runtime_and_the_logging_abstractions_only() =>
        Assert.All(
            typeof(LinuxTransport).Assembly.GetReferencedAssemblies().Select(static name => name.Name!),
            static reference => Assert.True(
                reference is "PlayChat.Core" or "PlayChat.Abstractions" or "Microsoft.Extensions.Logging.Abstractions"
                    || reference.StartsWith("System.", StringComparison.Ordinal),
                $"The transport may not reference {reference}."));

    [Fact]
    public void Core_neither_references_the_transport_nor_shows_it_its_internals()
    {
        Assembly core = typeof(FrameFormat).Assembly;
        string name = typeof(LinuxTransport).Assembly.GetName().Name!;

        Assert.DoesNotContain(name, core.GetReferencedAssemblies().Select(static reference => reference.Name), StringComparer.Ordinal);
        Assert.DoesNotContain(
            name,
            core.GetCustomAttributes<InternalsVisibleToAttribute>().Select(static friend => friend.AssemblyName),
            StringComparer.Ordinal);
    }
}
