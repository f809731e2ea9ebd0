using System.Diagnostics;
using PlayChat.Simulation;
using PlayChat.Simulation.Chat;

SimulationOptions options;
try
{
    options = SimulationOptions.Parse(args);
}
catch (FormatException e)
{
    Console.Error.WriteLine(e.Message);
    return 2;
}

if (options.WantsHelp)
{
    Console.WriteLine(SimulationOptions.Help, string.Join(", ", Enum.GetNames<Variant>().Skip(1)));
    return 0;
}

if (!SinglePool.IsSet)
{
    return SinglePool.Restart(args);
}

SinglePool.Limit();
return options.IsChat ? ChatRunner.Run(options) : new Runner(options).Run();
