namespace PlayChat.Storage.Tests;

public abstract partial class StoreContractTests
{
    [Fact]
    public async Task A_report_is_stored_once_with_its_lines_and_listed_until_it_is_resolved()
    {
        (long first, bool isNew) = (await Store.Reports.AddAsync(Report(7, 3, 1), 9)).GetValueOrDefault();
        Assert.True(isNew);
        Assert.Equal((first, false), await Store.Reports.AddAsync(Report(7, 3, 1) with { Reason = "again" }, 9));
        long second = (await Store.Reports.AddAsync(Report(7, 3, 2), 9)).GetValueOrDefault().Id;
        long other = (await Store.Reports.AddAsync(Report(8, 3, 1), 9)).GetValueOrDefault().Id;

        IChatStore reopened = await ReopenAsync();
        MessageReport listed = Assert.Single(await reopened.Reports.ListOpenAsync(7, 0, limit: 1));
        Assert.Equal(Report(7, 3, 1) with { Id = first, Lines = [] }, listed with { Lines = [] });
        Assert.Equal(Report(7, 3, 1).Lines, listed.Lines);
        Assert.Equal([second], (await reopened.Reports.ListOpenAsync(7, first, limit: 9)).Select(static one => one.Id));
        Assert.Equal([first, second, other], (await reopened.Reports.ListOpenAsync(0, 0, limit: 9)).Select(static one => one.Id));
        Assert.Equal([first, other], (await reopened.Reports.ListOfAsync(1, 0, limit: 9)).Select(static one => one.Id));

        Assert.False(await reopened.Reports.ResolveAsync(8, first, 5, ""));
        Assert.True(await reopened.Reports.ResolveAsync(7, first, 5, "muted"));
        Assert.False(await reopened.Reports.ResolveAsync(7, first, 5, ""));
        Assert.True(await reopened.Reports.ResolveAsync(0, other, 0, ""));
        Assert.Equal([second], (await reopened.Reports.ListOpenAsync(0, 0, limit: 9)).Select(static one => one.Id));
        Assert.Equal((first, false), await reopened.Reports.AddAsync(Report(7, 3, 1), 9));
    }

    [Fact]
    public async Task A_room_that_has_its_reports_takes_one_more_in_place_of_the_oldest_resolved_one()
    {
        long first = (await Store.Reports.AddAsync(Report(7, 3, 1), 2)).GetValueOrDefault().Id;
        long second = (await Store.Reports.AddAsync(Report(7, 3, 2), 2)).GetValueOrDefault().Id;

        Assert.Null(await Store.Reports.AddAsync(Report(7, 3, 4), 2));
        Assert.NotNull(await Store.Reports.AddAsync(Report(8, 3, 4), 2));
        await Store.Reports.ResolveAsync(7, first, 5, "");
        (long third, bool isNew) = (await Store.Reports.AddAsync(Report(7, 3, 4), 2)).GetValueOrDefault();

        Assert.True(isNew);
        Assert.Equal([second, third], (await Store.Reports.ListOpenAsync(7, 0, limit: 9)).Select(static one => one.Id));
        Assert.Empty(await Store.Reports.ListOfAsync(1, 0, limit: 9));
    }

    [Fact]
    public async Task Erasure_and_retention_reach_the_copies_in_reports()
    {
        await Store.Reports.AddAsync(Report(7, 3, 1), 9);
        await Store.Reports.AddAsync(Report(8, 3, 2), 9);
        await Store.Reports.EraseOfAsync(2); // the author of the second line

        IReadOnlyList<MessageReport> open = await Store.Reports.ListOpenAsync(0, 0, limit: 9);
        Assert.Equal("rude|", string.Join('|', open.Select(static one => one.Reason)));
        Assert.All(open, static one => Assert.Equal("before|", string.Join('|', one.Lines.Select(static line => line.Text))));

        await Store.Reports.DeleteBeforeAsync(s_now); // the line before is older, and the message is not
        Assert.All(await Store.Reports.ListOpenAsync(0, 0, limit: 9), static one => Assert.Equal(3, Assert.Single(one.Lines).Sequence));
        await Store.Reports.DeleteBeforeAsync(s_now.AddSeconds(1));
        Assert.Empty(await Store.Reports.ListOfAsync(1, 0, limit: 9));
    }

    private static MessageReport Report(long room, long sequence, long reporter) => new(
        room,
        "den",
        sequence,
        reporter,
        "Ann",
        "rude",
        s_now,
        [new(room, sequence - 1, 3, "Cid", "before", s_now.AddSeconds(-1)), new(room, sequence, 2, "Bob", "the line", s_now)]);
}
