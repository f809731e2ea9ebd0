namespace PlayChat.State.Tests;

/// <summary>Each member sees its part of the state, and gets nothing else.</summary>
public sealed class ViewTests
{
    [Theory]
    [MemberData(nameof(RoundTripTests.Seeds), MemberType = typeof(RoundTripTests))]
    public void Every_member_has_what_its_view_shows_after_each_revision(int seed)
    {
        var random = new Random(seed);
        var encoding = new Encoding<Table>(new Table());
        Member[] members = [.. Enumerable.Range(0, 3).Select(_ => new Member(encoding.Tracker.AddView()))];
        Array.ForEach(members, member => member.Take(encoding.Snapshot(member.View)));

        for (int revision = 0; revision < 80; revision++)
        {
            for (int changes = random.Next(1, 8); changes > 0; changes--)
            {
                Change(encoding.State, members[random.Next(members.Length)].View, random);
            }

            byte[][] patches = encoding.Patch([.. members.Select(static member => (member.View, member.Replica.Revision))]);
            for (int m = 0; m < members.Length; m++)
            {
                if (patches[m].Length > 0)
                {
                    members[m].Take(patches[m]);
                }

                Assert.Equal(StateJson.Of(encoding.State, members[m].View), StateJson.Of(members[m].Replica.State));
            }

            if (random.Next(10) == 0)
            {
                Member resumed = members[random.Next(members.Length)];
                resumed.Take(encoding.Snapshot(resumed.View));
                Assert.Equal(StateJson.Of(encoding.State, resumed.View), StateJson.Of(resumed.Replica.State));
            }
        }
    }

    [Fact]
    public void What_a_member_may_not_see_is_in_none_of_its_bytes()
    {
        var encoding = new Encoding<Table>(new Table());
        var ann = new Member(encoding.Tracker.AddView());
        var bob = new Member(encoding.Tracker.AddView());
        var seat = new Seat();
        encoding.State.Seats.Add("ann", seat);
        seat.Hand.Add("queen of hearts");
        ann.View.Show(seat);
        ann.Take(encoding.Snapshot(ann.View));
        bob.Take(encoding.Snapshot(bob.View));

        seat.Hand.Add("king of spades");
        seat.Secret = "a secret";
        var piece = new Piece { Label = "hidden piece" };
        encoding.State.Pieces.Add(4711, piece);
        ann.View.Show(piece);
        Patch();
        ann.View.Hide(piece);
        piece.Label = "label behind the hill";
        bob.View.Show(seat);
        Patch();
        bob.View.Hide(seat);
        seat.Secret = "a later secret";
        Patch();

        Assert.Equal("queen of hearts, king of spades", string.Join(", ", ann.Replica.State.Seats["ann"].Hand));
        Assert.Equal("a later secret", ann.Replica.State.Seats["ann"].Secret);
        Assert.Empty(ann.Replica.State.Pieces);
        Assert.Empty(bob.Replica.State.Seats["ann"].Hand);
        Assert.Contains("hidden piece", ann.Received, StringComparison.Ordinal);
        Assert.DoesNotContain("label behind the hill", ann.Received, StringComparison.Ordinal);
        Assert.DoesNotContain("hidden piece", bob.Received, StringComparison.Ordinal);
        Assert.Contains("king of spades", bob.Received, StringComparison.Ordinal); // it was shown for one revision
        Assert.DoesNotContain("a later secret", bob.Received, StringComparison.Ordinal);

        void Patch()
        {
            byte[][] patches = encoding.Patch((ann.View, ann.Replica.Revision), (bob.View, bob.Replica.Revision));
            foreach ((Member member, byte[] patch) in (ReadOnlySpan<(Member, byte[])>)[(ann, patches[0]), (bob, patches[1])])
            {
                if (patch.Length > 0)
                {
                    member.Take(patch);
                }
            }
        }
    }

    [Fact]
    public void Entering_and_leaving_a_view_are_added_and_removed_at_the_client()
    {
        var encoding = new Encoding<Table>(new Table());
        var member = new Member(encoding.Tracker.AddView());
        Piece[] pieces = [.. Enumerable.Range(0, 5).Select(static i => new Piece { X = i })];
        for (int i = 0; i < pieces.Length; i++)
        {
            encoding.State.Pieces.Add(i, pieces[i]);
        }

        member.View.ShowOnly<Piece>(pieces.AsSpan(0, 2));
        member.Take(encoding.Snapshot(member.View));
        var events = new List<string>();
        member.Replica.State.Pieces.Added += (key, _) => events.Add($"+{key}");
        member.Replica.State.Pieces.Removed += (key, _) => events.Add($"-{key}");

        member.View.ShowOnly<Piece>(pieces.AsSpan(1, 2));
        member.Take(encoding.Patch((member.View, member.Replica.Revision))[0]);
        encoding.State.Pieces.Remove(1);
        encoding.State.Pieces.Remove(4);
        member.Take(encoding.Patch((member.View, member.Replica.Revision))[0]);

        Assert.Equal(["-0", "+2", "-1"], events);
    }

    [Fact]
    public void A_member_that_sees_no_change_gets_nothing()
    {
        var encoding = new Encoding<Table>(new Table());
        var member = new Member(encoding.Tracker.AddView());
        var piece = new Piece();
        encoding.State.Pieces.Add(1, piece);
        member.Take(encoding.Snapshot(member.View));

        piece.X = 5;

        Assert.Empty(encoding.Patch((member.View, member.Replica.Revision))[0]);
        encoding.State.Round = 1;
        byte[] patch = encoding.Patch((member.View, member.Replica.Revision))[0];
        Assert.Equal(StateApplyResult.Applied, member.Replica.Apply(patch));
        Assert.Equal(1, member.Replica.State.Round);
    }

    [Fact]
    public void Only_an_object_in_the_state_can_be_shown()
    {
        var encoding = new Encoding<Table>(new Table());
        StateView view = encoding.Tracker.AddView();

        Assert.Throws<InvalidOperationException>(() => view.Show(new Piece()));
    }

    [Fact]
    public void Others_can_be_shown_in_the_turn_in_which_a_shown_object_has_left_the_state()
    {
        var encoding = new Encoding<Table>(new Table());
        var member = new Member(encoding.Tracker.AddView());
        Piece[] pieces = [new Piece(), new Piece()];
        encoding.State.Pieces.Add(0, pieces[0]);
        encoding.State.Pieces.Add(1, pieces[1]);
        member.View.Show(pieces[0]);
        member.Take(encoding.Snapshot(member.View));

        encoding.State.Pieces.Remove(0);
        member.View.ShowOnly<Piece>(pieces.AsSpan(1));
        member.Take(encoding.Patch((member.View, member.Replica.Revision))[0]);

        Assert.Equal([1], member.Replica.State.Pieces.Keys);
    }

    private static void Change(Table table, StateView view, Random random)
    {
        Seat? seat = table.Seats.Values.ElementAtOrDefault(random.Next(4));
        Piece? piece = table.Pieces.Values.ElementAtOrDefault(random.Next(8));
        switch (random.Next(20))
        {
            case 0:
                table.Round++;
                break;
            case 1 or 2:
                table.Seats[$"s{random.Next(4)}"] = new Seat { Score = random.Next(5), Secret = "s", Token = new Piece { Health = 3 } };
                break;
            case 3:
                table.Seats.Remove($"s{random.Next(4)}");
                break;
            case 4 or 5:
                table.Pieces[random.Next(8)] = NewPiece(random);
                break;
            case 6:
                table.Pieces.Remove(random.Next(8));
                break;
            case 7 or 8 when seat is not null:
                seat.Hand.Add($"c{random.Next(9)}");
                seat.Score++;
                break;
            case 9 when seat is { Hand.Count: > 0 }:
                seat.Hand.RemoveAt(random.Next(seat.Hand.Count));
                break;
            case 10 when seat is not null:
                seat.Secret = random.Next(2) == 0 ? null : $"x{random.Next(9)}";
                seat.Pet = random.Next(2) == 0 ? null : NewPiece(random);
                break;
            case 11 when seat is not null:
                seat.Token = random.Next(2) == 0 ? null : NewPiece(random);
                break;
            case 12 or 13 when piece is not null:
                piece.X += random.Next(10) / 10f;
                piece.Health++;
                break;
            case 14 when piece is not null:
                piece.Parts.Add(NewPiece(random));
                break;
            case 15 when seat is not null:
                view.Hide(seat);
                break;
            case 16 when seat is not null:
                view.Show(seat);
                if (seat.Token is not null)
                {
                    view.Show(seat.Token);
                }

                break;
            case 17 when piece is not null:
                view.Hide(piece);
                break;
            case 18 or 19 when piece is not null:
                view.Show(piece);
                break;
        }
    }

    private static Piece NewPiece(Random random)
    {
        var piece = new Piece { X = random.Next(100) / 10f, Health = random.Next(5), Label = "p" };
        if (random.Next(2) == 0)
        {
            piece.Parts.Add(new Piece { Label = "part" });
        }

        return piece;
    }

    private sealed class Member(StateView view)
    {
        internal StateView View => view;

        internal StateReplica<Table> Replica { get; } = new(new Table());

        /// <summary>All bytes that the member was sent.</summary>
        internal string Received { get; private set; } = "";

        internal void Take(byte[] message)
        {
            Assert.Equal(StateApplyResult.Applied, Replica.Apply(message));
            Received += System.Text.Encoding.Latin1.GetString(message);
        }
    }
}
