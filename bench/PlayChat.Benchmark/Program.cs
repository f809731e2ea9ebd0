using PlayChat.Benchmark.Cli;

return await BenchmarkProgram.RunAsync(args, Console.Out, Console.Error);
