using System.CommandLine;
using PlayChat.Benchmark.Classroom.Parts;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command of a client process, which <see cref="PartProcess"/> starts.</summary>
internal static class ClassroomPartCommand
{
    public static Command Create()
    {
        var command = new Command(OwnProgram.PartCommand, "A client process of classroom.") { Hidden = true };
        command.SetAction(static async (_, _) =>
        {
            // Signals are for the process that started this one: it says when the run ends, and the end of the input ends this one, too.
            await new ClassroomPart(
                Console.In,
                Console.Out,
                static order => new LoadTransport(order.Transport, order.LoadThreads, order.SourceAddresses).Create()).RunAsync();
            return 0;
        });
        return command;
    }
}
