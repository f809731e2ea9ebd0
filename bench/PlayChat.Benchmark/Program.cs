return await BenchmarkProgram.RunAsync(args, Console.Out, Console.Error);
