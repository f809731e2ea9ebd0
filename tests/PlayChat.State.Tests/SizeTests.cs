namespace PlayChat.State.Tests;

/// <summary>How many bytes a patch has: 1,000 entities, of which 200 move and 20 lose health.</summary>
public sealed class SizeTests
{
    [Fact]
    public void A_patch_with_exact_numbers_is_at_most_2200_bytes() => Assert.InRange(BytesOfPatch(MoveExactly), 1_600, 2_200);

    [Fact]
    public void A_patch_with_two_decimals_is_at_most_1200_bytes() => Assert.InRange(
        BytesOfPatch(static bee =>
        {
            bee.X += 1.5f;
            bee.Y -= 0.5f;
        }),
        800,
        1_200);

    [Fact]
    public void A_patch_of_a_view_of_50_entities_is_at_most_130_bytes()
    {
        var encoding = new Encoding<Swarm>(new Swarm());
        Bee[] bees = Fill(encoding.State.Seen);
        StateView view = encoding.Tracker.AddView();
        view.ShowOnly<Bee>(bees.AsSpan(300, 50));
        encoding.Snapshot(view);

        Move(encoding.State, bees, MoveExactly);

        Assert.InRange(encoding.Patch((view, encoding.Revision))[0].Length, 80, 130);
    }

    private static int BytesOfPatch(Action<Bee> move)
    {
        var encoding = new Encoding<Swarm>(new Swarm());
        Bee[] bees = Fill(encoding.State.Bees);
        encoding.Snapshot();
        Move(encoding.State, bees, move);
        return encoding.Patch().Length;
    }

    private static void MoveExactly(Bee bee)
    {
        bee.Z += 1.5f;
        bee.W -= 0.5f;
    }

    private static Bee[] Fill(SyncMap<int, Bee> map)
    {
        for (int i = 0; i < 1000; i++)
        {
            map.Add(i, new Bee { X = i, Y = i, Z = i, W = i, Hp = 100 });
        }

        return [.. map.Values];
    }

    private static void Move(Swarm swarm, Bee[] bees, Action<Bee> move)
    {
        swarm.Tick = 1000;
        for (int i = 0; i < 200; i++)
        {
            Bee bee = bees[i * 5];
            move(bee);
            if (i % 10 == 0)
            {
                bee.Hp--;
            }
        }
    }
}
