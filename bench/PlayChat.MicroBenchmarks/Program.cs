using BenchmarkDotNet.Running;

if (args is [] or ["--help" or "-h" or "-?"])
{
    Console.WriteLine(
        """
        Measures single parts of PlayChat.Core: time and allocated bytes of one operation. Needs a Release build.

        Usage:
          dotnet run -c Release --project bench/PlayChat.MicroBenchmarks -- --list flat             what there is
          dotnet run -c Release --project bench/PlayChat.MicroBenchmarks -- --filter '*'            measure all
          dotnet run -c Release --project bench/PlayChat.MicroBenchmarks -- --filter '*Echo*'       measure some
          dotnet run -c Release --project bench/PlayChat.MicroBenchmarks -- --filter '*' --job short   quickly, less exact

        All other options are those of BenchmarkDotNet. Results are written to BenchmarkDotNet.Artifacts in the current folder.
        """);
    return 0;
}

BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
return 0;
