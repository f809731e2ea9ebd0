using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using PlayChat.RoomProbe;

// Usage: PlayChat.RoomProbe PORT MEMBERS [THUMBPRINT [PASSWORD]]; "-" stands for none.
// Prints the room's number. Each pair of input lines is a measurement: the first one holds the least number of messages, and the second
// one ends it. The answer is a RoomReport, as one line of JSON.
//
// A process of its own, because the thread pool and the garbage collector of a process full of attackers would delay the clock.
try
{
    // Players on other machines do not share the processors with attackers. Threads that start later inherit the priority.
    using var self = Process.GetCurrentProcess();
    self.PriorityClass = ProcessPriorityClass.High;
}
catch (Win32Exception)
{
    // The account may not raise it: the figures then contain what the attackers take from the processors.
}

var json = new JsonSerializerOptions { NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals };
var players = new Players(int.Parse(args[0], CultureInfo.InvariantCulture), Optional(2));
ProbedRoom room = await ProbedRoom.OpenAsync(players, int.Parse(args[1], CultureInfo.InvariantCulture), Optional(3));
Console.WriteLine(room.RoomId.ToString(CultureInfo.InvariantCulture));
using var input = new StreamReader(Console.OpenStandardInput());
while (await input.ReadLineAsync() is { } line)
{
    RoomReport report = await room.MeasureAsync(int.Parse(line, CultureInfo.InvariantCulture), input.ReadLineAsync());
    Console.WriteLine(JsonSerializer.Serialize(report, json));
}

string? Optional(int index) => args.Length > index && args[index] != "-" ? args[index] : null;
