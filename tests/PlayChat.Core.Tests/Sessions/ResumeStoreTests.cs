using PlayChat.Core.Diagnostics;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Sessions;

/// <summary>Resume tokens that survive the server, in a store that the application gives.</summary>
public sealed class ResumeStoreTests
{
    private readonly MemoryResumeStore _store = new();

    [Fact]
    public async Task After_a_restart_the_user_is_logged_in_again_without_rooms()
    {
        byte[] token;
        await using (ResumeHarness first = await StartAsync())
        {
            (_, token) = await first.JoinAsync();
            await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        }

        await using ResumeHarness second = await StartAsync();
        string? welcomed = null;
        (HarnessClient client, Resumption? resumption) = await second.ResumeAsync(token, resumption =>
        {
            welcomed = resumption.Session.User!.Name;
            return default;
        });

        Assert.Equal("ann", welcomed);
        Assert.True(resumption!.IsRestored);
        Assert.Same(client.Session, resumption.Session);
        Assert.Same(client.Session, second.Sessions.FindUser("ann"));
        Assert.Empty(second.Room.Hooks);
        Assert.Equal(1, second.Sessions.Count);
        await second.BreakAsync(client); // it may resume like any other
        (_, Resumption? again) = await second.ResumeAsync(resumption.Token);
        Assert.False(again!.IsRestored);
        Assert.Same(client.Session, again.Session);
    }

    [Fact]
    public async Task A_session_that_was_away_at_the_stop_is_restored_as_well_and_a_used_token_works_until_the_next_is_confirmed()
    {
        byte[] first;
        await using (ResumeHarness harness = await StartAsync())
        {
            (HarnessClient client, first) = await harness.JoinAsync();
            await harness.BreakAsync(client);
            (HarnessClient returned, _) = await harness.ResumeAsync(first); // the answer is lost
            await harness.BreakAsync(returned);
            await harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        }

        await using ResumeHarness next = await StartAsync();
        (_, Resumption? one) = await next.ResumeAsync(first);
        (_, Resumption? two) = await next.ResumeAsync(first); // once more: its answer was lost as well
        await next.Sessions.ConfirmResumeAsync(two!.Session.Connection);

        Assert.True(one!.IsRestored);
        Assert.True(two.IsRestored);
        Assert.Same(one.Session, two.Session);
        Assert.Null((await next.ResumeAsync(first)).Resumption);
        Assert.Null(_store.Records.Single().UsedTokenHash);
    }

    [Fact]
    public async Task A_connection_that_breaks_while_the_server_stops_keeps_its_token()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient client, _) = await harness.JoinAsync();

        harness.Sessions.StopResuming(); // the server stops
        await harness.BreakAsync(client);

        Assert.Equal([(client.Session, CloseReason.PeerReset)], harness.Ends);
        Assert.Single(_store.Records);
    }

    [Fact]
    public async Task The_store_gets_hashes_only_and_forgets_a_session_that_ends()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        (HarnessClient bob, byte[] bobs) = await harness.JoinAsync("bob");
        (HarnessClient cy, byte[] cys) = await harness.JoinAsync("cy");
        Assert.All(_store.Records, static record => Assert.Equal(64, record.TokenHash.Length));
        Assert.DoesNotContain(_store.Records, record => record.TokenHash == Convert.ToHexString(token));

        await harness.Sessions.EndAsync(ann.Session);
        bob.Session.Connection.Abort(); // kicked
        await harness.BreakAsync(cy);
        await harness.Inner.AdvanceAsync(ResumeHarness.Window);
        await Eventually.TrueAsync(() => _store.Records.Count == 0);

        Assert.Null((await harness.ResumeAsync(token)).Resumption);
        Assert.Null((await harness.ResumeAsync(bobs)).Resumption);
        Assert.Null((await harness.ResumeAsync(cys)).Resumption);
    }

    [Fact]
    public async Task Whoever_is_told_of_an_end_finds_its_token_nowhere()
    {
        List<int> stored = [];
        await using ResumeHarness harness = await ResumeHarness.StartAsync(server => server
            .UseResumeStore(_store, TimeSpan.FromHours(1))
            .OnSessionEnded((_, _) => stored.Add(_store.Records.Count)));
        (HarnessClient client, _) = await harness.JoinAsync();

        await harness.Sessions.EndAsync(client.Session);

        Assert.Equal([0], stored);
    }

    [Fact]
    public async Task A_login_elsewhere_replaces_the_record_of_the_user()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        HarnessClient newer = await harness.Inner.ConnectAsync();
        Session? before = harness.Sessions.Bind(newer.Session, client.Session.User!);
        Assert.Empty(_store.Records);
        ReadOnlyMemory<byte> next = await harness.Sessions.IssueResumeTokenAsync(newer.Session);
        before!.Connection.Close(CloseReason.TakenOver);
        await before.Connection.Closed.WaitAsync(TestTimeouts.Hang);
        await harness.Inner.IdleAsync();

        Assert.Null((await harness.ResumeAsync(token)).Resumption);
        Assert.Equal(ResumeTable.HashOf(next.Span), _store.Records.Single().TokenHash);
    }

    [Fact]
    public async Task A_stored_token_is_refused_while_its_user_has_a_session()
    {
        byte[] token;
        await using (ResumeHarness first = await StartAsync())
        {
            (_, token) = await first.JoinAsync();
            await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        }

        await using ResumeHarness second = await StartAsync();
        HarnessClient other = await second.Inner.ConnectAsync();
        second.Sessions.Bind(other.Session, _store.Records.Single().User);

        Assert.Null((await second.ResumeAsync(token)).Resumption);
        Assert.True(other.Session.Connection.IsOpen);
        Assert.Same(other.Session, second.Sessions.FindUser("ann"));
    }

    [Fact]
    public async Task A_used_token_whose_time_has_passed_is_not_found_in_the_store_either()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        (HarnessClient returned, _) = await harness.ResumeAsync(token); // and never confirms the next

        await harness.Inner.AdvanceAsync(ResumeHarness.Window + TimeSpan.FromSeconds(1));

        Assert.NotNull(_store.Records.Single().UsedTokenHash);
        Assert.Null((await harness.ResumeAsync(token)).Resumption);
        Assert.True(returned.Session.Connection.IsOpen);
    }

    [Fact]
    public async Task A_record_that_has_expired_restores_nothing()
    {
        byte[] token;
        await using (ResumeHarness first = await StartAsync())
        {
            (_, token) = await first.JoinAsync();
            await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        }

        await using ResumeHarness second = await StartAsync();
        await second.Inner.AdvanceAsync(TimeSpan.FromHours(1));

        Assert.Null((await second.ResumeAsync(token)).Resumption);
    }

    [Fact]
    public async Task A_store_that_fails_stops_neither_a_login_nor_a_resume()
    {
        var logger = new RecordingLogger();
        await using ResumeHarness harness = await ResumeHarness.StartAsync(
            server => server.UseResumeStore(_store).UseLogging(logger));
        _store.Fault = new InvalidOperationException("The database is away.");

        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        (_, Resumption? resumption) = await harness.ResumeAsync(token);
        ResumeStoreException unknown = await Assert.ThrowsAsync<ResumeStoreException>(() => harness.ResumeAsync(new byte[32]));

        Assert.NotNull(resumption);
        Assert.Same(_store.Fault, unknown.InnerException);
        Assert.Equal(3, harness.Read(Counter.ResumeStoreFaults));
        Assert.Equal(3, logger.Count("ResumeStoreFault"));
    }

    [Fact]
    public async Task A_logout_removes_the_token_that_the_store_has_although_it_has_saved_no_later_one()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        await harness.BreakAsync(client);
        _store.SaveFault = new InvalidOperationException("The database is read-only.");

        (_, Resumption? resumption) = await harness.ResumeAsync(token);
        await harness.Sessions.ConfirmResumeAsync(resumption!.Session.Connection);
        await harness.Sessions.EndAsync(resumption.Session);

        Assert.Empty(_store.Records);
        Assert.Null((await harness.ResumeAsync(token)).Resumption);
    }

    [Fact]
    public async Task A_logout_removes_the_token_whose_save_came_after_that_of_a_later_one()
    {
        await using ResumeHarness harness = await StartAsync();
        HarnessClient client = await harness.Inner.ConnectAsync();
        harness.Sessions.Bind(client.Session, new SessionUser(1, "ann"));
        var held = new TaskCompletionSource();
        _store.Holding = held.Task;
        Task<ReadOnlyMemory<byte>> first = harness.Sessions.IssueResumeTokenAsync(client.Session).AsTask();
        _store.Holding = Task.CompletedTask;
        await harness.Sessions.IssueResumeTokenAsync(client.Session);

        held.SetResult();
        ReadOnlyMemory<byte> token = await first.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(ResumeTable.HashOf(token.Span), _store.Records.Single().TokenHash);
        await harness.Sessions.EndAsync(client.Session);

        Assert.Empty(_store.Records);
    }

    [Fact]
    public async Task A_logout_after_a_restart_removes_the_token_of_the_former_run_although_the_store_has_saved_no_later_one()
    {
        byte[] token;
        await using (ResumeHarness first = await StartAsync())
        {
            (_, token) = await first.JoinAsync();
            await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        }

        await using ResumeHarness second = await StartAsync();
        _store.SaveFault = new InvalidOperationException("The database is read-only.");
        (_, Resumption? resumption) = await second.ResumeAsync(token);
        await second.Sessions.EndAsync(resumption!.Session);

        Assert.Empty(_store.Records);
        Assert.Null((await second.ResumeAsync(token)).Resumption);
    }

    [Fact]
    public async Task A_token_is_valid_still_when_the_store_that_was_away_is_back()
    {
        byte[] token;
        await using (ResumeHarness first = await StartAsync())
        {
            (_, token) = await first.JoinAsync();
            await first.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        }

        await using ResumeHarness second = await StartAsync();
        _store.Fault = new InvalidOperationException("The database is away.");
        HarnessClient client = await second.Inner.ConnectAsync();
        await Assert.ThrowsAsync<ResumeStoreException>(
            async () => await second.Sessions.ResumeAsync(client.Session.Connection, token));
        Assert.True(client.Session.Connection.IsOpen);
        _store.Fault = null;

        Assert.NotNull(await second.Sessions.ResumeAsync(client.Session.Connection, token)); // on the same connection
    }

    [Fact]
    public async Task A_login_waits_two_seconds_for_the_store_and_no_longer()
    {
        await using ResumeHarness harness = await StartAsync();
        var held = new TaskCompletionSource();
        HarnessClient client = await harness.Inner.ConnectAsync();
        harness.Sessions.Bind(client.Session, new SessionUser(1, "ann"));
        _store.Holding = held.Task;

        Task<ReadOnlyMemory<byte>> issuing = harness.Sessions.IssueResumeTokenAsync(client.Session).AsTask();
        Assert.False(issuing.IsCompleted);
        harness.Inner.Time.Advance(TimeSpan.FromSeconds(2));
        ReadOnlyMemory<byte> token = await issuing.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(1, harness.Read(Counter.ResumeStoreFaults));
        held.SetResult();
        await harness.BreakAsync(client);
        Assert.NotNull((await harness.ResumeAsync(token)).Resumption);
    }

    private Task<ResumeHarness> StartAsync() =>
        ResumeHarness.StartAsync(server => server.UseResumeStore(_store, TimeSpan.FromHours(1)));
}
