using System.Reflection;
using System.Runtime.Loader;

namespace PlayChat.Recording;

/// <summary>The work of the command <c>playchat replay</c>, which finds this class by its name in the assemblies of a game.</summary>
[RequiresUnreferencedCode("It finds the room and the method that sets the server up by their names.")]
[RequiresDynamicCode("It makes a generic method of the room's type.")]
internal static class ReplayCommand
{
    private const BindingFlags Statics = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    private static readonly JsonSerializerOptions s_json = new(JsonSerializerDefaults.Web);

    /// <summary>Replays a recording with the code of an assembly.</summary>
    /// <param name="path">The file.</param>
    /// <param name="game">The assembly of the room, or one that refers to it.</param>
    /// <param name="configure">The method that sets the server up, as <c>Class.Method</c>; <see langword="null"/> for the only one.</param>
    /// <param name="cancellationToken">Ends the replay.</param>
    /// <returns>The result as JSON: <c>isIdentical</c>, <c>text</c>, and the figures.</returns>
    /// <exception cref="Exception">The replay does not run; the message says why.</exception>
    internal static async Task<string> RunAsync(string path, Assembly game, string? configure, CancellationToken cancellationToken)
    {
        Type room = FindRoom(path, game);
        MethodInfo run = typeof(ReplayCommand).GetMethod(nameof(RunRoomAsync), Statics)!.MakeGenericMethod(room);
        return await ((Task<string>)run.Invoke(null, [path, FindConfigure(room.Assembly, configure), cancellationToken])!)
            .ConfigureAwait(false);
    }

    private static Type FindRoom(string path, Assembly game)
    {
        using FileStream stream = RecordingFile.Open(path);
        using var file = new RecordingFile(stream);
        string name = file.Header.RoomType;
        IEnumerable<Assembly?> assemblies = game.GetReferencedAssemblies().Select(Load).Prepend(game);
        return assemblies.Select(assembly => assembly?.GetType(name)).FirstOrDefault(static type => type is not null)
            ?? throw new RoomReplayException($"The recording is one of a {name}, which {game.GetName().Name} does not have.");

        Assembly? Load(AssemblyName reference)
        {
            try
            {
                return AssemblyLoadContext.GetLoadContext(game)?.LoadFromAssemblyName(reference);
            }
            catch (IOException)
            {
                return null; // a reference that is not used may be missing
            }
        }
    }

    /// <returns><see langword="null"/> if there is none.</returns>
    private static Action<PlayChatServer>? FindConfigure(Assembly game, string? name)
    {
        MethodInfo[] methods =
        [
            .. game.GetTypes().SelectMany(static type => type.GetMethods(Statics)).Where(method =>
                method.GetParameters() is [{ ParameterType: var parameter }] && parameter == typeof(PlayChatServer)
                    && (name is not null ? NameOf(method) == name : !method.Name.StartsWith('<'))),
        ];
        return methods switch
        {
            [var method] => server => method.Invoke(null, BindingFlags.DoNotWrapExceptions, null, [server], null),
            [] when name is null => null,
            [] => throw new RoomReplayException(
                $"{game.GetName().Name} has no static method {name} with a {nameof(PlayChatServer)} as its only parameter."),
            _ => throw new RoomReplayException(
                $"Several methods of {game.GetName().Name} set a server up: {string.Join(", ", methods.Select(NameOf))}. Choose one by "
                    + "--configure."),
        };
    }

    private static string NameOf(MethodInfo method) => $"{method.DeclaringType!.Name}.{method.Name}";

    private static async Task<string> RunRoomAsync<TRoom>(
        string path, Action<PlayChatServer>? configure, CancellationToken cancellationToken)
        where TRoom : Room
    {
        RoomReplayResult<TRoom> result =
            await RoomReplay.RunAsync<TRoom>(path, configure, cancellationToken: cancellationToken).ConfigureAwait(false);
        return JsonSerializer.Serialize(
            new
            {
                IsIdentical = result.Divergence is null,
                Text = result.ToString(),
                Room = typeof(TRoom).FullName,
                End = result.End.ToString(),
                result.Turns,
                result.Ticks,
                result.Duration,
                result.Elapsed,
                result.Divergence,
                Exceptions = result.Faults.Select(static fault => new
                {
                    Where = FrameText.Where(fault.At, fault.Tick),
                    fault.During,
                    Exception = fault.Exception.ToString(),
                }),
            },
            s_json);
    }
}
