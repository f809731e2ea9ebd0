using System.Reflection;

namespace PlayChat.Simulation.Chat;

/// <summary>Makes <see cref="Random.Shared"/> draw the numbers of the seed on the present thread.</summary>
internal static class SharedRandom
{
    private const BindingFlags Fields = BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance;

    internal static void Reset(Dice dice)
    {
        _ = Random.Shared.Next(); // makes the state of the thread
        FieldInfo local = Random.Shared.GetType().GetField("t_random", Fields) ?? throw new MissingFieldException("Random", "t_random");
        object state = local.GetValue(null)!;
        foreach (string name in (string[])["_s0", "_s1", "_s2", "_s3"])
        {
            FieldInfo field = state.GetType().GetField(name, Fields) ?? throw new MissingFieldException("Random", name);
            field.SetValue(state, dice.NextBits() | 1);
        }
    }
}
